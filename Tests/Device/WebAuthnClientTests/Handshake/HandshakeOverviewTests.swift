// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyProfiles
import PasskeyProfiles
import PasskeyTestSupport
import Testing
import WebAuthnClient

/// Runs the overview's server code and compares it with the article.
struct HandshakeOverviewTests {
  @Test func `the overview's handshake signs in, confirms an order and signs out`() async throws {
    let world = try ServerWorld(.raxx)
    let client = try PasskeyOwner().client
    let http = HTTPSession(server: try ServerAddress(world.address))
    _ = try await Handshake(profile: .raxx, http: http, client: client).register(user: "ada@example.org")
    // [shown]
    let handshake = Handshake(profile: .raxx, http: http, client: client)
    var session = try await handshake.signIn(user: "ada@example.org")
    let order = [UInt8](#"{"symbol":"RAXX","amount":5000}"#.utf8)
    switch try await handshake.send(
      method: "POST", path: "/api/orders", body: order, contentType: "application/json", in: &session)
    {
    case .answered(let reply): print("answered with", reply.status)
    case .needsStepUp(let demand, _):
      print("to be confirmed:", demand.method, demand.path)
      let grant = try await handshake.stepUp(method: "POST", path: "/api/orders", body: order, in: &session)
      let confirmed = try await handshake.send(
        method: "POST", path: "/api/orders", body: order, contentType: "application/json", grant: grant, in: &session)
      if case .answered(let reply) = confirmed { print("confirmed, and answered with", reply.status) }
    }
    try await handshake.signOut(of: session)
    // [until here]
    #expect(world.requests.filter { $0 == "POST /api/orders" }.count == 2)
    #expect(world.requests.last == "POST /api/auth/logout")
  }

  @Test func `the overview shows the tested code`() throws {
    let source = try lines("Tests/Device/WebAuthnClientTests/Handshake/HandshakeOverviewTests.swift")
    let overview = try lines("Sources/Device/WebAuthnClient/WebAuthnClient.docc/WebAuthnClient.md")
    let begin = try #require(source.firstIndex(of: "    // [shown]"))
    let end = try #require(source.firstIndex(of: "    // [until here]"))
    let shown = source[(begin + 1)..<end].map { (line) in String(line.dropFirst(4)) }
    let fence = try #require(overview.lastIndex(of: "```swift"))
    #expect(shown == Array(overview[(fence + 1)...].prefix { (line) in line != "```" }))
  }

  private func lines(_ path: String) throws -> [String] {
    String(decoding: try File.bytes("\(projectFolder)/\(path)"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
