// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyProfiles
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import WebAuthnRelyingParty
import WebAuthnTypes

/// The project's own server on this machine, with a store of its own. It records the received requests.
final class ServerWorld: Sendable {
  private let service: AuthService
  private let server: HTTPServer
  private let seen = Seen()
  private let clock = Clock()

  private final class Seen: Sendable { let requests = Locked<[String]>([]) }

  private final class Clock: Sendable {
    let moment = Locked(UnixTime(secondsSince1970: 1_800_000_000))
    var now: UnixTime { moment.withLock { $0 } }
  }

  init(
    _ profile: ServiceProfile, certificate: String? = nil, _ policy: (inout ServicePolicy) -> Void = { _ in }
  ) throws {
    var servicePolicy = profile.servicePolicy
    policy(&servicePolicy)
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]),
      storage: try SQLiteStorage.temporary(),
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id),
      policy: servicePolicy)
    self.service = service
    var limits = Endpoints.Limits()
    limits.perAddress = RateLimit(burst: 1_000, then: .seconds(1))
    limits.perAccount = limits.perAddress
    let endpoints = Endpoints(
      service: service, profile: profile, limits: limits, clock: Endpoints.Clock(time: { [clock] _ in clock.now }))
    let router = try EndpointRouter(endpoints.routes + [Self.orders(endpoints)])
    let tls = certificate.map { TLSFiles(certificatePath: "\($0).crt", keyPath: "\($0).key") }
    server = try HTTPServer(HTTPServerConfiguration(tls: tls)) { [seen] (request) in
      seen.requests.withLock { $0.append("\(request.method.rawValue) \(request.target.path)") }
      return await router.respond(to: request)
    }
  }

  deinit {
    let server = server
    Task.detached { await server.stop(within: .seconds(2)) }
  }

  /// An order, which requires a confirmation.
  private static func orders(_ endpoints: Endpoints) -> EndpointRoute {
    EndpointRoute(.post, "/api/orders") { (request) in
      let session = try await endpoints.authenticate(request)
      let spent = try await endpoints.spendConfirmation(of: request, by: session)
      return EndpointResponse.json { (object: inout JSONObjectWriter) in
        object.write("by", .string(spent.account.name))
        object.write("bytes", .integer(request.body.count))
      }
    }
  }

  var port: UInt16 { server.port }

  var address: String { "http://127.0.0.1:\(port)" }

  /// Method and path of each received request.
  var requests: [String] { seen.requests.withLock { $0 } }

  /// The number of received writes.
  var writeCount: Int { requests.filter { !$0.hasPrefix("GET") }.count }

  var now: UnixTime { clock.now }

  func pass(_ seconds: Int) { clock.moment.withLock { $0 = $0 + .seconds(seconds) } }

  private var console: CallContext { CallContext(time: clock.now, requestID: "console") }

  /// Approves an account from the console.
  func approve(_ email: String) async throws {
    let account = try await service.account(.email(EmailAddress(email)), by: .console)
    try await service.change(account.handle, .approve, by: .console, in: console)
  }

  static let mail = DestinationName(rawValue: "mail")

  /// No mail of this event has a code.
  struct NoCode: Error { let event: NoticeEvent }

  /// Returns the code of the latest mail of an event, and removes all mails.
  func mailedCode(_ event: NoticeEvent) async throws -> String {
    let selection = OutboxSelection(destination: Self.mail)
    var code: String?
    for item in try await service.outboxItems(selection, limit: 1_000) where item.notice.event == event {
      let contact = try await service.contact(of: item.notice, withDevices: false, at: now)
      code = contact.code?.exposedText ?? code
    }
    _ = try await service.drop(selection, at: now)
    guard let code else { throw NoCode(event: event) }
    return code
  }

  /// Issues a recovery code for an account.
  func recoveryCode(_ email: String) async throws -> String {
    let account = try await service.account(.email(EmailAddress(email)), by: .console)
    return try await service.recover(account.handle, by: .console, in: console).exposedText
  }
}
