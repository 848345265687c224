// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@Suite(.tags(.postgres)) struct OneTimeTests {
  /// Starts one server on SQLite, or two on PostgreSQL.
  private static func servers(_ database: DatabaseKind) async throws -> (ServerPlace, [ServerProcess]) {
    let place = try await ServerPlace(database)
    var servers = [try await ServerProcess.start(place)]
    if case .postgreSQL = database { servers.append(try await ServerProcess.start(place)) }
    return (place, servers)
  }

  /// The number of attempts of each kind.
  private static let rounds = Sanitizer.isPresent ? 1 : 3

  /// Sends one request 200 times concurrently, spread over the servers, and returns the answers.
  private static func storm(
    _ servers: [ServerProcess], _ target: String, _ body: String, _ fields: [(String, String)] = []
  ) async throws -> [Answer] {
    let more = fields.map { "\($0): \($1)\r\n" }.joined()
    let text =
      "POST \(target) HTTP/1.1\r\nHost: api.raxx.app\r\n\(more)Content-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    // Sends all but the last byte first, so that all requests complete at about the same time.
    let bytes = Array(text.utf8)
    return try await waiting { [ports = servers.map(\.port)] in
      let clients = try (0..<200).map { (index) in try RawClient(port: ports[index % ports.count]) }
      for client in clients { client.send(Array(bytes.dropLast())) }
      for client in clients { client.send(Array(bytes.suffix(1))) }
      return try clients.map { (client) in Answer(try #require(client.answer())) }
    }
  }

  private func expectOne(
    of answers: [Answer], others status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answers.count == 200, sourceLocation: sourceLocation)
    #expect(answers.count { $0.status == 200 } == 1, sourceLocation: sourceLocation)
    let others = Set(answers.filter { $0.status != 200 }.map { "\($0.status) \($0.code ?? "")" })
    #expect(others == ["\(status) \(code)"], sourceLocation: sourceLocation)
  }

  @Test(arguments: DatabaseKind.all)
  func `of 200 concurrent responses to one ceremony one succeeds`(_ database: DatabaseKind) async throws {
    let (place, servers) = try await Self.servers(database)
    let client = try Client(at: servers[0].port, Ledger())
    let token = try await client.signUp()
    for _ in 0..<Self.rounds {
      let signIn = try await Self.storm(servers, "/api/auth/login/verify", client.signedIn())
      expectOne(of: signIn, others: 410, "sign-in.ceremony-unknown")
      let stepUp = try await Self.storm(
        servers, "/api/auth/step-up/verify", client.confirmed(token), Client.fields(token))
      expectOne(of: stepUp, others: 410, "step-up.ceremony-unknown")
    }
    for server in servers { #expect(try await server.stop() == 0) }
    try await place.verifyAudit()
    let opened = try await place.trail().count { $0.event == "session.opened" && $0.hasSucceeded }
    #expect(opened == 1 + Self.rounds)
  }

  @Test(arguments: DatabaseKind.all)
  func `of 200 concurrent uses of one confirmation one succeeds`(_ database: DatabaseKind) async throws {
    let (place, servers) = try await Self.servers(database)
    let client = try Client(at: servers[0].port, Ledger())
    let token = try await client.signUp()
    for _ in 0..<Self.rounds {
      let fields = Client.fields(token, grant: try await client.confirm(token))
      let answers = try await Self.storm(servers, "/api/auth/register/options", "{}", fields)
      expectOne(of: answers, others: 401, "step-up.grant-refused")
    }
    for server in servers { #expect(try await server.stop() == 0) }
    try await place.verifyAudit()
    #expect(try await place.trail().count { $0.event == "step-up.spent" && $0.hasSucceeded } == Self.rounds)
  }
}
