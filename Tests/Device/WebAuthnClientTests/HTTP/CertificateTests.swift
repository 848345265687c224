// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyProfiles
import PasskeyProfiles
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// A certificate that is not valid now, for this host and from a trusted authority is refused before any data are sent.
@Suite(.enabled(if: TestCertificates.canBeMade, "the command line of OpenSSL is not here"))
struct CertificateTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try await TestCertificates.folder()
  }

  private func settings(_ port: UInt16, authority: String? = "authority") -> HTTPSettings {
    var settings = HTTPSettings()
    settings.certificateAuthority = authority.map { "\(folder.path)/\($0).crt" }
    settings.connectTo = ["raxx.app:443:127.0.0.1:\(port)"]
    return settings
  }

  @Test func `Each wrong certificate has its own cause, and a valid one works`() async throws {
    let raxx = try ServerAddress("https://raxx.app")
    let world = try ServerWorld(.yapt, certificate: "\(folder.path)/good")
    let owner = try PasskeyOwner()
    let handshake = try owner.handshake(.yapt, at: raxx.text) { $0 = settings(world.port) }
    #expect(try await handshake.register(user: "ada@example.org").session != nil)
    let session = try await handshake.signIn(user: "ada@example.org")
    var stored = try ServerSession(json: session.json[...])
    #expect(try await handshake.whoAmI(in: &stored).account.id != nil)

    for (certificate, authority, code) in [
      ("good", "stranger", ClientError.Code.certificateUntrusted), ("good", nil, .certificateUntrusted),
      ("good", "nothing", .certificateAuthorityUnusable), ("expired", "authority", .certificateExpired),
      ("elsewhere", "authority", .certificateWrongHost), ("stranger", "stranger", .certificateWrongHost),
    ] {
      let world = try ServerWorld(.raxx, certificate: "\(folder.path)/\(certificate)")
      for method in ["POST", "GET"] {
        let http = HTTPSession(server: raxx, settings: settings(world.port, authority: authority))
        let error = await #expect(throws: ClientError.self) {
          try await http.send(ServerRequest(method, "/api/auth/me"))
        }
        #expect(error?.code == code, "\(certificate), \(authority ?? "the system"): \(String(describing: error))")
        #expect(error?.outcome == (method == "POST" ? .notSent : nil))
        #expect(error?.domName == "NetworkError")
      }
      #expect(world.requests.isEmpty)
    }
  }

  @Test func `A failed TLS handshake differs from an unreachable server`() async throws {
    let plain = try FaultServer(.reply("", then: .close))
    var settings = settings(plain.port)
    settings.connectTimeout = .milliseconds(700)
    // A TLS ClientHello is not an HTTP request, so the server waits for more data.
    let http = HTTPSession(server: try ServerAddress("https://raxx.app"), settings: settings)
    let silent = await #expect(throws: ClientError.self) { try await http.send(ServerRequest("POST", "/")) }
    #expect(silent?.code == .connectTimedOut && silent?.outcome == .notSent && silent?.domName == "TimeoutError")
    let world = try ServerWorld(.raxx)
    let other = HTTPSession(server: try ServerAddress("https://raxx.app"), settings: self.settings(world.port))
    let error = await #expect(throws: ClientError.self) { try await other.send(ServerRequest("POST", "/")) }
    #expect(error?.code == .tlsFailed || error?.code == .connectionReset, "\(String(describing: error))")
    #expect(error?.outcome == .notSent)
  }

  @Test(arguments: [(0, false), (100, false), (100, true)])
  func `A connection lost before the handshake means not sent`(_ limit: Int, _ stalls: Bool) async throws {
    let world = try ServerWorld(.raxx, certificate: "\(folder.path)/good")
    let tunnel = try TunnelServer(to: world.port, upTo: limit, thenStalls: stalls)
    var settings = settings(tunnel.port)
    if stalls { settings.connectTimeout = .milliseconds(700) }
    let http = HTTPSession(server: try ServerAddress("https://raxx.app"), settings: settings)
    let error = await #expect(throws: ClientError.self) {
      try await http.send(ServerRequest("POST", "/api/auth/logout"))
    }
    #expect(error?.code == (stalls ? .connectTimedOut : .tlsFailed), "\(String(describing: error))")
    #expect(error?.outcome == .notSent)
    #expect(world.requests.isEmpty)
  }

  @Test(arguments: [false, true])
  func `A connection lost later means an unknown outcome, and one request`(_ stalls: Bool) async throws {
    let world = try ServerWorld(.raxx, certificate: "\(folder.path)/good")
    // Determines the size of a complete response first. Without its last bytes it is incomplete.
    var cut = 4_096
    var isUnknown = false
    for _ in 0..<40 where !isUnknown {
      let tunnel = try TunnelServer(to: world.port, upTo: cut, thenStalls: stalls)
      var settings = settings(tunnel.port)
      settings.totalTimeout = .seconds(stalls ? 4 : HangGuard.seconds)
      let before = world.writeCount
      let http = HTTPSession(server: try ServerAddress("https://raxx.app"), settings: settings)
      do throws(ClientError) {
        _ = try await http.send(ServerRequest("POST", "/api/auth/logout"))
        cut -= 100
      } catch {
        isUnknown = true
        #expect(error.outcome == .unknown)
        #expect(error.code == (stalls ? .replyTimedOut : .replyTruncated), "\(error)")
        #expect(world.writeCount == before + 1)
      }
    }
    #expect(isUnknown)
  }

  @Test func `Names are resolved according to the settings`() async throws {
    let world = try ServerWorld(.raxx, certificate: "\(folder.path)/good")
    var settings = settings(world.port)
    settings.connectTo = []
    settings.resolve = ["raxx.app:\(world.port):127.0.0.1"]
    let http = HTTPSession(server: try ServerAddress("https://raxx.app:\(world.port)"), settings: settings)
    #expect(try await http.send(ServerRequest("GET", "/healthz")).status == 200)
  }

  @Test func `Related origins are fetched from the host that is the RP ID`() async throws {
    let world = try ServerWorld(.raxx, certificate: "\(folder.path)/good") { _ in }
    let source = HTTPRelatedOrigins(settings: settings(world.port))
    let none = await #expect(throws: ClientError.self) { try await source.document(of: RelyingPartyID("raxx.app")) }
    #expect(none?.code == .relatedOriginsUnavailable)
    #expect(world.requests == ["GET /.well-known/webauthn"])
  }
}
