// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyProfiles
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// Responses change the session.
struct SessionChangesTests {
  private static let options = #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","rpId":"raxx.app"}"#

  /// Creates a user whose device has a passkey for the RP ID.
  private func owner() async throws -> PasskeyOwner {
    let owner = try PasskeyOwner()
    let world = try ServerWorld(.raxx)
    _ = try await owner.handshake(.raxx, at: world.address).register(user: "ada@example.org")
    return owner
  }

  private func session(_ server: FaultServer, _ profile: String = "raxx") throws -> ServerSession {
    let text = #"{"version":1,"server":"\#(server.address)","profile":"\#(profile)","token":"t1","refreshToken":"r1"}"#
    return try ServerSession(json: [UInt8](text.utf8)[...])
  }

  @Test func `cookies received during a confirmation are used afterwards`() async throws {
    let server = try FaultServer { (request, number) in
      let fields = "Set-Cookie: n=\(number); Path=/\r\n"
      if request.contains("/step-up/options") { return .answer("200 OK", Self.options, fields) }
      if request.contains("/step-up/verify") {
        return .answer("200 OK", #"{"grant":"g1","expiresAt":7}"#, fields)
      }
      return .answer("403 Forbidden", "{}", fields)
    }
    let handshake = try await owner().handshake(.raxx, at: server.address)
    var session = try session(server)
    let grant = try await handshake.stepUp(method: "POST", path: "/orders", body: [1], in: &session)
    #expect(grant.exposedText == "g1" && grant.expiry == UnixTime(secondsSince1970: 7))
    // The expiry of the confirmation is not that of the session.
    #expect(session.expiry == nil)
    let error = await #expect(throws: ClientError.self) {
      try await handshake.deleteCredential("AQ", in: &session)
    }
    #expect(error?.code == .refusedByServer)
    let requests = server.requests.map { (request) in request.lowercased() }
    #expect(requests.count == 5)
    let shown = requests.map { (request) in
      (request.contains("bearer t1"), (0..<5).first { (number) in request.contains("cookie: n=\(number)") })
    }
    #expect(shown.allSatisfy { $0.0 })
    #expect(shown.map(\.1) == [nil, 0, 1, 2, 3])
    #expect(requests.last?.contains("delete /api/auth/credentials/aq") == true)
    // A refusal's cookie is stored as well.
    #expect(session.cookies.lines.map { (line) in line.hasSuffix("n\t4") } == [true])
  }

  @Test func `any response may bring a cookie and another expiry`() async throws {
    let server = try FaultServer { (request, number) in
      .answer(
        "200 OK", request.contains("/me") ? #"{"expiresAt":"2030-01-01T00:00:00Z"}"# : #"{"token":"not mine"}"#,
        "Set-Cookie: n=\(number); Path=/\r\nSession-Expires-At: 2029-01-01T00:00:00Z\r\n")
    }
    let handshake = try await owner().handshake(.raxx, at: server.address)
    var session = try session(server)
    _ = try await handshake.send(method: "GET", path: "/api/portfolio", in: &session)
    #expect(session.expiry == (try UnixTime(rfc3339: "2029-01-01T00:00:00Z")))
    // A member `token` in the response of an application endpoint does not replace the session's token.
    #expect(session.token == SecretBytes(utf8: "t1"))
    _ = try await handshake.whoAmI(in: &session)
    #expect(session.expiry == (try UnixTime(rfc3339: "2030-01-01T00:00:00Z")))
    #expect(server.requests.last?.lowercased().contains("cookie: n=0") == true)
    #expect(session.cookies.lines.first?.hasSuffix("n\t1") == true)
    #expect(try ServerSession(json: session.json[...]) == session)
  }

  @Test(arguments: [
    (Fault.answer("302 Found", "", "Set-Cookie: n=1; Path=/\r\nLocation: /elsewhere\r\n"), ClientError.Code.redirected),
    (.answer("200 OK", String(repeating: "x", count: 2_000), "Set-Cookie: n=1; Path=/\r\n"), .replyTooLarge),
    (.answer("200 OK", "no JSON", "Set-Cookie: n=1; Path=/\r\n"), .replyMalformed),
    (.reply("HTTP/1.1 200 OK\r\nSet-Cookie: n=1; Path=/\r\nContent-Length: 9\r\n\r\n{", then: .close), .replyTruncated),
  ])
  func `a cookie counts even if the response is refused`(_ fault: Fault, _ code: ClientError.Code) async throws {
    let server = try FaultServer(fault)
    let handshake = try await owner().handshake(.raxx, at: server.address) { $0.maximumReplyByteCount = 1_000 }
    var session = try session(server)
    let error = await #expect(throws: ClientError.self) { try await handshake.whoAmI(in: &session) }
    #expect(error?.code == code)
    #expect(session.cookies.lines.map { (line) in line.hasSuffix("n\t1") } == [true])
    #expect(session.token == SecretBytes(utf8: "t1"))
  }

  @Test func `a renewal without a new refresh token keeps the old one`() async throws {
    let server = try FaultServer { (_, number) in
      .answer("200 OK", number == 0 ? #"{"token":"t2"}"# : #"{"token":"t3","refreshToken":"r3","refreshExpiresAt":9}"#)
    }
    let handshake = try await owner().handshake(.raxx, at: server.address)
    var session = try session(server)
    try await handshake.refresh(&session)
    #expect(session.token == SecretBytes(utf8: "t2") && session.refreshToken == SecretBytes(utf8: "r1"))
    try await handshake.refresh(&session)
    #expect(session.token == SecretBytes(utf8: "t3") && session.refreshToken == SecretBytes(utf8: "r3"))
    #expect(session.renewalExpiry == UnixTime(secondsSince1970: 9))
    #expect(server.requests.allSatisfy { (request) in request.contains(#"{"refreshToken":"r1"}"#) })
  }

  @Test func `a large export is read completely, and other responses are limited`() async throws {
    let long = #"{"audit":""# + String(repeating: "x", count: 3 << 20) + #""}"#
    let server = try FaultServer(.answer("200 OK", long))
    let handshake = try PasskeyOwner().handshake(.raxx, at: server.address)
    var session = try session(server)
    #expect(try await handshake.export(in: &session).count == long.utf8.count)
    let outcome = try await handshake.send(method: "GET", path: "/api/account/export", in: &session)
    guard case .answered(let reply) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reply.body.count == long.utf8.count)
    let error = await #expect(throws: ClientError.self) { try await handshake.whoAmI(in: &session) }
    #expect(error?.code == .replyTooLarge && error?.detail == "a body of at most 1048576 bytes")
  }

  @Test func `a server with GET options receives the parameters in the query`() async throws {
    let server = try FaultServer { (request, _) in
      .answer("200 OK", request.hasPrefix("GET") ? Self.options : #"{"token":"t1"}"#)
    }
    let profile = try ServiceProfile(
      json: [UInt8](
        #"""
        {"name": "x", "endpoints": {
          "sign-in-options": {"route": "GET /begin", "request": null, "query": {"username?": "$account.name"}},
          "sign-in-verify": "POST /end"}}
        """#.utf8))
    let handshake = try await owner().handshake(profile, at: server.address)
    let session = try await handshake.signIn(user: "ada+é@example.org")
    #expect(session.token == SecretBytes(utf8: "t1"))
    #expect(server.requests[0].hasPrefix("GET /begin?username=ada%2B%C3%A9%40example.org HTTP/1.1\r\n"))
    _ = try await handshake.signIn()
    #expect(server.requests[2].hasPrefix("GET /begin HTTP/1.1\r\n"))
    #expect(try await handshake.options(from: .signInOptions) == [UInt8](Self.options.utf8))
  }
}
