// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
internal import PasskeyHTTP
package import PasskeyHTTPServer

/// A server at a port of the loopback interface, which has the routes of the profile `raxx` and the faults that it was
/// started with.
package final class FaultyServer: Sendable {
  /// The limits and lifetimes.
  package struct Settings: Sendable {
    package var port: UInt16 = 0
    package var ceremonySeconds = 300
    package var sessionSeconds = 900
    package var grantSeconds = 60
    /// Whether registrations ask for attestation. Statements of unknown manufacturers are accepted.
    package var asksForAttestation = false
    /// Whether registrations ask for a platform authenticator and for the properties of the passkey, and enforce both.
    package var asksForPolicies = false
    /// Called with the address and the code of each mail.
    package var mails: (@Sendable (_ address: String, _ code: String) -> Void)?
    /// How long a session lasts without a request; nil without such a limit.
    package var idleSeconds: Int?
    /// How many failed sign-ins of a client are answered before it has to pause.
    package var failuresBeforePause = 1_000_000
    package var pauseSeconds = 3_600

    /// The certificate and its key; nil for plain HTTP.
    package var tls: TLSFiles?

    package init() {}
  }

  /// The server; nil with a fault that needs the other one.
  private let server: HTTPServer?
  private let lenientServer: LenientServer?
  private let front: TLSFront?
  private let plainServer: HTTPServer?
  private let party: FaultyParty

  /// The address, which is also the origin of the relying party's pages.
  package let url: String

  /// The port for plain HTTP of a server that has HTTPS; nil otherwise.
  package var plainPort: UInt16? { plainServer?.port }

  /// Starts a server with the faults of these IDs, which are in ``RelyingPartyFault/all``.
  ///
  /// - Throws: ``UnknownFault``, or an `EndpointError` if the port is taken.
  package init(faults ids: Set<String> = [], _ settings: Settings = Settings()) throws {
    let known = Set(RelyingPartyFault.all.map(\.id))
    if let unknown = ids.subtracting(known).min() { throw UnknownFault(id: unknown) }
    let faults = Faults(ids: ids)
    // The origin has the port, which is only known once the server listens.
    let box = PartyBox()
    let respond: @Sendable (EndpointRequest) async -> EndpointResponse = { await box.respond(to: $0) }
    let isLenient = !ids.isDisjoint(with: LenientServer.faults)
    let hasFront = settings.tls != nil && !ids.isDisjoint(with: TLSFront.faults)
    var own = settings
    if hasFront { own.port = 0 }
    server = isLenient ? nil : try HTTPServer(Self.configuration(own, faults), handler: respond)
    lenientServer = isLenient ? try LenientServer(port: settings.port, faults: faults, respond) : nil
    front = hasFront ? try TLSFront(port: settings.port, before: server?.port ?? 0, faults: faults) : nil
    let port = front?.port ?? server?.port ?? lenientServer?.port ?? settings.port
    let url = "\(settings.tls == nil ? "http" : "https")://localhost:\(port)"
    self.url = url
    let plain = PlainRequests(faults: faults, address: url, respond: respond)
    plainServer =
      settings.tls == nil
      ? nil : try HTTPServer(HTTPServerConfiguration(address: .loopback, port: 0)) { await plain.answer($0) }
    party = try FaultyParty(settings, faults: faults, origin: url)
    box.set(try Self.router(party, faults))
  }

  /// Returns the code that was mailed last to an address; nil without one.
  package func mailedCode(to address: String) async -> String? { await party.mailedCodes[address] }

  /// Stops the server.
  package func stop() async {
    lenientServer?.stop()
    front?.stop()
    await plainServer?.stop(within: .zero)
    await server?.stop(within: .zero)
  }

  private static func configuration(_ settings: Settings, _ faults: Faults) -> HTTPServerConfiguration {
    var configuration = HTTPServerConfiguration(address: .loopback, port: settings.port, tls: settings.tls)
    if faults.has("limits.body-size") { configuration.limits.bodySize = 1 << 24 }
    return configuration
  }

  private static func router(
    _ party: FaultyParty, _ faults: Faults
  ) throws(EndpointError) -> @Sendable (EndpointRequest) async -> EndpointResponse {
    let router = try EndpointRouter(
      FaultyParty.endpoints.map { (endpoint) in
        EndpointRoute(endpoint.method, endpoint.path) { await party.respond(to: $0, by: endpoint.handler) }
      })
    let messages = FaultyMessages(faults: faults)
    return { await messages.respond(to: $0, by: router) }
  }
}

/// A fault that the relying party does not have.
package struct UnknownFault: Error, CustomStringConvertible {
  package let id: String
  package var description: String { "unknown fault \(id); --list shows all" }
}
