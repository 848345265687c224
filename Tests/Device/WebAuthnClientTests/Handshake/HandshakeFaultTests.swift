// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyProfiles
import PasskeyTestSupport
import Testing
import WebAuthnClient

/// A server that injects faults between the handshake and the project's own server.
struct HandshakeFaultTests {
  private static let ada = "ada@example.org"

  /// The request of a sign-in that meets the fault, and the expected error.
  struct Case: Sendable, CustomTestStringConvertible {
    let path: String
    let fault: @Sendable (UInt16) -> Fault
    let code: ClientError.Code
    let name: String
    /// The number of requests that reach the server behind.
    let reaching: Int
    var outcome: WriteOutcome? = .unknown

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      path: "/login/options", fault: { .relay($0, upTo: 200, then: .reset) }, code: .connectionReset,
      name: "options broken off by a reset", reaching: 1),
    Case(
      path: "/login/options", fault: { .relay($0, upTo: 500, then: .close) }, code: .replyTruncated,
      name: "options cut short", reaching: 1),
    Case(
      path: "/login/options", fault: { _ in .answer("200 OK", "{\"challenge\":") }, code: .replyMalformed,
      name: "garbage for options", reaching: 0),
    Case(
      path: "/login/options", fault: { _ in .answer("200 OK", "{\"challenge\":1}") }, code: .replyMalformed,
      name: "malformed options", reaching: 0),
    Case(
      path: "/login/options", fault: { _ in .answer("200 OK", "{\"challenge\":\"AAAA\",\"allowCredentials\":null}") },
      code: .replyMalformed, name: "options that a browser refuses", reaching: 0),
    Case(
      path: "/login/options", fault: { _ in .answer("502 Bad Gateway", "<html>nginx</html>") }, code: .refusedByServer,
      name: "a gateway's failure", reaching: 0),
    Case(
      path: "/login/options", fault: { _ in .answer("429 Too Many Requests", "", "Retry-After: 7\r\n") },
      code: .refusedByServer, name: "too many requests", reaching: 0, outcome: nil),
    Case(
      path: "/login/verify", fault: { .relay($0, upTo: 0, then: .close) }, code: .replyTruncated,
      name: "the end of a ceremony without a reply", reaching: 2),
    Case(
      path: "/login/verify", fault: { .relay($0, upTo: 300, then: .stall) }, code: .replyTimedOut,
      name: "the end of a ceremony that stalls", reaching: 2),
    Case(
      path: "/login/verify", fault: { _ in .answer("200 OK", "{\"ok\":true}") }, code: .replyMalformed,
      name: "the end of a ceremony without a token", reaching: 1),
    Case(
      path: "/login/verify", fault: { _ in .answer("200 OK", "{\"token\":\"a\\r\\nb\"}") }, code: .replyMalformed,
      name: "a malformed token", reaching: 1),
    Case(
      path: "/login/verify",
      fault: { _ in .answer("307 Temporary Redirect", "", "Location: https://evil.example/\r\n") },
      code: .redirected, name: "a credential sent on elsewhere", reaching: 1),
  ]

  @Test(arguments: cases)
  func `A sign-in ends at its first error and sends nothing twice`(_ fault: Case) async throws {
    let world = try ServerWorld(.raxx)
    let owner = try PasskeyOwner()
    _ = try await owner.handshake(.raxx, at: world.address).register(user: Self.ada)
    let before = world.writeCount
    let proxy = try FaultServer { [port = world.port] (request, _) in
      request.contains(fault.path) ? fault.fault(port) : .relay(port, upTo: .max, then: .close)
    }
    let handshake = try owner.handshake(.raxx, at: proxy.address) {
      $0.totalTimeout = .seconds(fault.code == .replyTimedOut ? 4 : HangGuard.seconds)
    }
    let error = await #expect(throws: ClientError.self) { try await handshake.signIn(user: Self.ada) }
    #expect(error?.code == fault.code, "\(String(describing: error))")
    #expect(error?.outcome == fault.outcome)
    #expect(world.writeCount - before == fault.reaching)
    #expect(proxy.requests.filter { $0.contains(fault.path) }.count == 1)
    if fault.name == "too many requests" { #expect(error?.problem?.retryAfter == 7) }
  }

  @Test(arguments: [0, 200])
  func `An order with a lost response runs once, and its outcome is unknown`(
    _ limit: Int
  ) async throws {
    let world = try ServerWorld(.raxx)
    let proxy = try FaultServer { [port = world.port] (request, _) in
      .relay(port, upTo: request.hasPrefix("POST /api/orders") ? limit : .max, then: .close)
    }
    let handshake = try PasskeyOwner().handshake(.raxx, at: proxy.address)
    var session = try #require(try await handshake.register(user: Self.ada).session)
    let order = Array(#"{"amount":5000}"#.utf8)
    let grant = try await handshake.stepUp(method: "POST", path: "/api/orders", body: order, in: &session)
    for _ in 0..<2 {
      let before = world.requests.filter { $0 == "POST /api/orders" }.count
      let error = await #expect(throws: ClientError.self) {
        try await handshake.send(
          method: "POST", path: "/api/orders", body: order, contentType: "application/json", grant: grant, in: &session)
      }
      #expect(error?.code == .replyTruncated && error?.outcome == .unknown)
      #expect(error?.description.hasSuffix("(it is unknown whether the server executed it)") == true)
      #expect(world.requests.filter { $0 == "POST /api/orders" }.count == before + 1)
    }
    // The first request was carried out and has spent its grant, so a repetition cannot succeed.
    let direct = try FaultServer(.relay(world.port, upTo: .max, then: .close))
    var moved = try ServerSession(
      json: Array(
        String(decoding: session.json, as: UTF8.self).replacing(proxy.address, with: direct.address).utf8)[...])
    let outcome = try await PasskeyOwner().handshake(.raxx, at: direct.address).send(
      method: "POST", path: "/api/orders", body: order, contentType: "application/json", grant: grant, in: &moved)
    guard case .answered(let reply) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reply.problem?.code == "step-up.grant-refused")
  }

  @Test func `A confirmation is for the sent request, even if the demand differs`() async throws {
    let world = try ServerWorld(.raxx)
    let owner = try PasskeyOwner()
    let session = try #require(try await owner.handshake(.raxx, at: world.address).register(user: Self.ada).session)
    let proxy = try FaultServer(
      .answer(
        "401 Unauthorized",
        #"{"code":"step-up.required","stepUp":{"method":"POST","path":"/api/orders","bodySha256":"AAAA"}}"#))
    let handshake = try owner.handshake(.raxx, at: proxy.address)
    var moved = try ServerSession(
      json: Array(
        String(decoding: session.json, as: UTF8.self).replacing(world.address, with: proxy.address).utf8)[...])
    let error = await #expect(throws: ClientError.self) {
      try await handshake.send(method: "POST", path: "/api/orders", body: [0x7b, 0x7d], in: &moved)
    }
    #expect(error?.code == .stepUpMismatch)
    #expect(proxy.requests.count == 1)
  }

  @Test func `A bare step-up demand is understood too`() async throws {
    let server = try FaultServer(
      .answer("401 Unauthorized", "", "WWW-Authenticate: Bearer error=\"insufficient_user_authentication\"\r\n"))
    var session = try ServerSession(
      json: Array(#"{"version":1,"server":"\#(server.address)","profile":"raxx","token":"t"}"#.utf8)[...])
    let handshake = try PasskeyOwner().handshake(.raxx, at: server.address)
    let outcome = try await handshake.send(method: "DELETE", path: "/x?y=z", in: &session)
    guard case .needsStepUp(let demand, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(demand == StepUpDemand(method: "DELETE", path: "/x?y=z", body: []))
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
