// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeySystem
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// The bounds that an audit keeps whatever the server answers.
struct BoundsTests {
  private static func world(
    _ reply: ServerReply = ServerReply(status: 200), _ change: (inout AuditOptions) -> Void = { (_) in }
  ) throws -> AuditWorld {
    var options = try AuditTests.options("http://localhost:4711")
    change(&options)
    return try AuditWorld(options, transport: AuditTransport { (_) in reply })
  }

  @Test(arguments: ["1e300", "-1", "-1e300", "1e18", "86400001"])
  func `a time-out that no server means is ignored`(number: String) throws {
    let reply = ServerReply(status: 200, body: Array(#"{"challenge":"AQ","timeout":\#(number)}"#.utf8))
    let world = try Self.world()
    let begun = try world.begun(.signInOptions, reply, to: world.request(.signInOptions))
    #expect(begun.timeout == nil)
  }

  @Test func `a time-out is read in milliseconds`() throws {
    let reply = ServerReply(status: 200, body: Array(#"{"challenge":"AQ","timeout":300000}"#.utf8))
    let world = try Self.world()
    #expect(try world.begun(.signInOptions, reply, to: world.request(.signInOptions)).timeout == .seconds(300))
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807"])
  func `an expiry at the end of time can be compared`(number: String) async throws {
    let reply = ServerReply(status: 200, body: Array(#"{"token":"t","expiresAt":\#(number)}"#.utf8))
    let world = try Self.world { $0.patience = .zero }
    let expiry = world.values(reply, to: try world.request(.signInVerify), at: .signInVerify).time(.sessionExpiry)
    let moment = try #require(expiry)
    #expect(moment.secondsSince1970.subtractingReportingOverflow(world.now.secondsSince1970).overflow == false)
    #expect(abs(moment.secondsSince1970) < 1 << 40)
    try? await world.wait(until: moment, "the session")
  }

  @Test func `the suggested patience has a unit`() async throws {
    let world = try Self.world { $0.patience = .seconds(10) }
    let moment = UnixTime(secondsSince1970: world.now.secondsSince1970 + 60)
    let error = try await #require(throws: CannotTell.self) { try await world.wait(until: moment, "the session") }
    #expect("\(error)".contains("--patience 61s waits for it") || "\(error)".contains("--patience 60s waits for it"))
    #expect(AuditWorld.patience(1_000_000) == "1000000s")
    #expect(AuditWorld.patience(1_000_001) == "12d")
    #expect(AuditWorld.patience(86_400 * 30) == "30d")
  }

  @Test(arguments: ["0", "-5", "-9223372036854775808", "soon"])
  func `a pause lasts a second at least, and there are ten at most`(field: String) throws {
    let reply = ServerReply(status: 429, headers: [HeaderField("retry-after", field)])
    var pause = LimitPause(patience: .seconds(60)) { UnixTime(secondsSince1970: 1_800_000_000) }
    for _ in 0..<10 { #expect(try pause.next(after: reply) == .seconds(1)) }
    #expect(throws: CannotTell("the server limits requests: status 429 after 10 pauses")) {
      try pause.next(after: reply)
    }
  }

  @Test func `a pause can end at a date`() throws {
    var pause = LimitPause(patience: .seconds(60)) { UnixTime(secondsSince1970: 1_800_000_000) }
    let reply = ServerReply(
      status: 429, headers: [HeaderField("retry-after", "Fri, 15 Jan 2027 08:00:07 GMT")])
    #expect(try pause.next(after: reply) == .seconds(7))
  }

  @Test func `a server that allows a repetition at once does not use up the requests`() async throws {
    let reply = ServerReply(status: 429, headers: [HeaderField("retry-after", "0")])
    let world = try Self.world(reply) { $0.patience = .zero }
    let request = try world.request(.signInOptions)
    await #expect(throws: CannotTell.self) { try await world.send(request) }
    #expect(world.budget.sent == 1)
  }

  @Test func `requests that are sent together do not wait for each other`() async throws {
    var options = try AuditTests.options("http://localhost:4711")
    options.requestsPerSecond = 5
    let counts = Locked<[Int]>([])
    let sent = Locked<(@Sendable () -> Int)?>(nil)
    let world = try AuditWorld(
      options,
      transport: AuditTransport { (_) in
        if let count = sent.withLock({ $0 })?() { counts.update { $0.append(count) } }
        return ServerReply(status: 200)
      })
    sent.update { $0 = { world.budget.sent } }
    let requests = [ServerRequest](repeating: try world.request(.signInOptions), count: 6)
    #expect(try await world.sendTogether(requests).count == 6)
    // The budget counts all of them before the first is sent.
    #expect(counts.withLock { $0 } == [6, 6, 6, 6, 6, 6])
    sent.update { $0 = nil }
  }

  @Test func `only requests that stay on this machine have no limit of their rate`() throws {
    var options = try AuditTests.options("http://localhost:4711")
    #expect(options.rate == nil)
    options.requestsPerSecond = 5
    #expect(options.rate == 5)
    options.requestsPerSecond = nil
    options.http.connectTo = ["localhost:4711:shop.example:443"]
    #expect(options.rate == 20)
    options.http.connectTo = []
    options.http.resolve = ["localhost:4711:192.0.2.1"]
    #expect(options.rate == 20)
    options.http.resolve = []
    options.http.proxy = "http://proxy.example:3128"
    #expect(options.rate == 20)
    options.http.proxy = ""
    #expect(options.rate == nil)
    #expect(try AuditTests.options("https://shop.example").rate == 20)
  }

  @Test func `requests to this machine use no proxy of the environment`() throws {
    #expect(try Self.world().options.http.proxy == "")
    #expect(try Self.world { $0.http.proxy = "http://127.0.0.1:3128" }.options.http.proxy == "http://127.0.0.1:3128")
    let other = try AuditWorld(AuditTests.options("https://shop.example"))
    #expect(other.options.http.proxy == nil)
  }

  @Test func `an invitation and the tokens of a response that no check reads are not reported`() async throws {
    let body = #"{"token":"secret-of-session","refreshToken":"secret-of-renewal","path":"/a/secret-of-session"}"#
    let reply = ServerReply(status: 200, headers: [HeaderField("x-copy", "secret-of-renewal")], body: Array(body.utf8))
    let world = try Self.world(reply) { $0.invitation = "a7-9q" }
    var request = try world.request(.signInVerify)
    request.body = Array(#"{"code":"a7-9q"}"#.utf8)
    _ = try await world.sendTogether([request])
    let exchange = try #require(world.recorder.takeExchanges().first)
    #expect(!"\(exchange)".contains("secret-of") && !"\(exchange)".contains("a7-9q"))
    #expect(exchange.requestBody == #"{"code":"[redacted]"}"#)
  }
}
