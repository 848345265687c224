// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import TestSupport
import Testing

struct KilledServerTests {
  /// How often a server is killed. [What the issue of the server asks; a sanitizer looks for other things.]
  private static let rounds = Sanitizer.isPresent ? 5 : 100

  @Test(arguments: DatabaseKind.all)
  func `a server that is killed under load loses nothing that it acknowledged`(_ database: DatabaseKind) async throws {
    let place = try await ServerPlace(database)
    let ledger = Ledger()
    var generator = PropertyRuns.generator(run: 0)
    var server = try await ServerProcess.start(place)
    for round in 0..<Self.rounds {
      let (port, milliseconds) = (server.port, Int.random(in: 1...120 * Sanitizer.patience, using: &generator))
      let visitors = Task {
        try await withThrowingTaskGroup(of: Void.self) { (group) in
          for _ in 0..<6 { group.addTask { try await Client.visit(port, ledger) } }
          try await group.waitForAll()
        }
      }
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await server.kill()
      try await visitors.value
      server = try await ServerProcess.start(place)
      try await ledger.checkOneTimeRequests(at: server.port, round: round)
    }
    // What a kill took does not come back: to look for it once is enough.
    try await ledger.checkSessions(at: server.port)
    #expect(try await server.stop() == 0)
    // Kills that hit nothing would show nothing.
    #expect(ledger.recorded.count > 3 * Self.rounds)
    #expect(ledger.openTokens.count > Self.rounds && ledger.endedTokens.count > Self.rounds / 10)
    #expect(ledger.refusals == [:])
    try await place.verifyAudit()
    try await ledger.check(place.trail())
  }
}
