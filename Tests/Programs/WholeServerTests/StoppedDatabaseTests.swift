// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@Suite(
  .tags(.kill, .postgres, .alone),
  .enabled(if: PostgreSQLControl.isPresent, Comment(rawValue: PostgreSQLControl.absence)))
struct StoppedDatabaseTests {
  @Test func `a database restart under load is reported, and nothing is lost`() async throws {
    let place = try await ServerPlace(.postgreSQL)
    let server = try await ServerProcess.start(place)
    let ledger = Ledger()
    let port = server.port
    let visitors = Task {
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for _ in 0..<6 { group.addTask { try await Client.visit(port, ledger) } }
        try await group.waitForAll()
      }
    }
    let watcher = Line(to: port)
    for mode in ["fast", "immediate"] {
      try await Task.sleep(for: .seconds(1))
      try await watcher.ask("GET", "/readyz").expect(200)
      try await PostgreSQLControl.run("stop", mode)
      // The readiness result from before the stop is cached for a second. A check that the stop interrupted has an unknown
      // outcome.
      var reply = try await watcher.ask("GET", "/readyz")
      while reply.status == 200 || reply.code == "service.storage-outcome-unknown" {
        try await Task.sleep(for: .milliseconds(50))
        reply = try await watcher.ask("GET", "/readyz")
      }
      reply.expect(503, "service.storage-unavailable")
      // The server itself is alive.
      try await watcher.ask("GET", "/healthz").expect(200)
      try await Task.sleep(for: .milliseconds(500))
      try await PostgreSQLControl.run("start")
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while try await watcher.ask("GET", "/readyz").status != 200, ContinuousClock.now < limit {
        try await Task.sleep(for: .milliseconds(50))
      }
      try await watcher.ask("GET", "/readyz").expect(200)
    }
    try await Task.sleep(for: .seconds(1))
    // One log line when the database goes away and one when it returns, not one per request.
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    while try place.output().last?.contains("can be used again") != true, ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(50))
    }
    let told = try place.output().filter { $0.contains("the database") }
    #expect(2...6 ~= told.count && told.count.isMultiple(of: 2), "\(told)")
    for (index, line) in told.enumerated() {
      #expect(line.contains(index.isMultiple(of: 2) ? "cannot be used" : "can be used again"), "\(told)")
    }
    visitors.cancel()
    try await visitors.value
    // Requests succeed again.
    let late = try Client(at: port, ledger)
    try await late.signOut(late.signUp())

    #expect(ledger.recorded.count > 20)
    // The database is unavailable, or became unavailable during the commit.
    let refusals = Set(ledger.refusals.keys)
    #expect(refusals.contains("503 service.storage-unavailable"))
    let clear: Set = ["503 service.storage-unavailable", "503 service.storage-outcome-unknown"]
    // A database that stops immediately loses ceremonies that had just begun, because they are stored without waiting
    // for an fsync.
    let forgotten: Set = [
      "410 sign-up.ceremony-unknown", "410 sign-in.ceremony-unknown", "410 step-up.ceremony-unknown",
    ]
    #expect(refusals.subtracting(forgotten).isSubset(of: clear), "\(ledger.refusals)")
    try await ledger.checkOneTimeRequests(at: port, round: 0)
    try await ledger.checkSessions(at: port)
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
    try await ledger.check(place.trail())
  }
}
