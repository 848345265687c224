// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import SystemIO
import TestSupport
import Testing

/// Three servers of one database. Each check of a session reads it from the database, and no server keeps a copy, so a
/// revocation needs no time to arrive.
@Suite(.enabled(if: PostgreSQLControl.isPresent, "no PostgreSQL: Scripts/with-postgresql starts one"))
struct RevocationTests {
  private static func servers() async throws -> (ServerPlace, [ServerProcess]) {
    let place = try await ServerPlace(.postgreSQL)
    var servers: [ServerProcess] = []
    for _ in 0..<3 { servers.append(try await ServerProcess.start(place)) }
    return (place, servers)
  }

  /// The results of a session's requests on one server.
  private final class Sightings: Sendable {
    private struct Content {
      var isRevoked = false
      var accepted = 0
      var refused = 0
      var acceptedAfter = 0
    }

    private let content = Locked(Content())

    var isRevoked: Bool { content.withLock { $0.isRevoked } }
    var accepted: Int { content.withLock { $0.accepted } }
    var refused: Int { content.withLock { $0.refused } }
    /// The requests that began after the acknowledgement of the revocation and were accepted.
    var acceptedAfter: Int { content.withLock { $0.acceptedAfter } }

    func revoke() { content.withLock { $0.isRevoked = true } }

    func record(status: Int, beganAfter: Bool) {
      content.withLock { (content) in
        if status == 200 { content.accepted += 1 } else { content.refused += 1 }
        if status == 200, beganAfter { content.acceptedAfter += 1 }
      }
    }
  }

  /// Asks in a loop until the server has refused the session 20 times.
  private static func ask(_ server: ServerProcess, _ token: String, _ sightings: Sightings) async throws {
    let line = Line(to: server.port)
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    var refusals = 0
    while refusals < 20, ContinuousClock.now < limit {
      let isRevoked = sightings.isRevoked
      let answer = try await line.ask("GET", "/api/auth/me", fields: Client.fields(token))
      sightings.record(status: answer.status, beganAfter: isRevoked)
      if answer.status != 200 { refusals += 1 }
    }
  }

  @Test func `a session that one server has ended is refused by all servers from the reply on`() async throws {
    let (place, servers) = try await Self.servers()
    let client = try Client(at: servers[0].port, Ledger())
    try await client.signUp()
    for round in 0..<(Sanitizer.isPresent ? 2 : 6) {
      let token = try await client.signIn()
      let sightings = servers.map { _ in Sightings() }
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for (server, sighting) in zip(servers, sightings) {
          group.addTask { try await Self.ask(server, token, sighting) }
        }
        // Each server has accepted the session before it ends.
        let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
        while sightings.contains(where: { $0.accepted == 0 }), ContinuousClock.now < limit {
          try await Task.sleep(for: .milliseconds(2))
        }
        try await Client(client, at: servers[round % 3].port).signOut(token)
        sightings.forEach { $0.revoke() }
        try await group.waitForAll()
      }
      for sighting in sightings {
        #expect(sighting.accepted > 0 && sighting.acceptedAfter == 0 && sighting.refused >= 20)
      }
    }
    for server in servers { #expect(try await server.stop() == 0) }
    try await place.verifyAudit()
  }
}
