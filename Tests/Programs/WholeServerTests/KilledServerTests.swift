// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@Suite(.tags(.kill, .postgres)) struct KilledServerTests {
  /// The number of times that a server is killed. [Sanitizers look for other faults]
  private static let rounds = Sanitizer.isPresent ? 5 : Tier.choose(change: 5, merge: 25, night: 200)

  @Test(arguments: DatabaseKind.all)
  func `a server killed under load loses no acknowledged write`(_ database: DatabaseKind) async throws {
    let place = try await ServerPlace(database)
    let ledger = Ledger()
    var generator = PropertyRuns.generator(run: 0)
    var server = try await ServerProcess.start(place)
    for round in 0..<Self.rounds {
      let (port, before) = (server.port, ledger.recorded.count)
      let (count, microseconds) = (
        Int.random(in: 1...20, using: &generator), Int.random(in: 0..<5_000, using: &generator)
      )
      let visitors = Task {
        try await withThrowingTaskGroup(of: Void.self) { (group) in
          for _ in 0..<6 { group.addTask { try await Client.visit(port, ledger) } }
          try await group.waitForAll()
        }
      }
      // Measured by completed requests, not only by time: on a busy machine a fixed time could complete none.
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while ledger.recorded.count < before + count, ContinuousClock.now < limit {
        try await Task.sleep(for: .milliseconds(1))
      }
      try await Task.sleep(for: .microseconds(microseconds))
      try await server.kill()
      try await visitors.value
      server = try await ServerProcess.start(place)
      try await ledger.checkOneTimeRequests(at: server.port, round: round)
    }
    // Data lost by a kill does not reappear, so one check at the end suffices.
    try await ledger.checkSessions(at: server.port)
    #expect(try await server.stop() == 0)
    // Kills without any work in progress would prove nothing.
    #expect(ledger.recorded.count > 5 * Self.rounds)
    #expect(ledger.openTokens.count > Self.rounds && ledger.endedTokens.count > Self.rounds / 10)
    #expect(ledger.refusals == [:])
    try await place.verifyAudit()
    try await ledger.check(place.trail())
  }
}
