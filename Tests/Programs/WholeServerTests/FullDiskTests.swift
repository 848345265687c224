// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@Suite(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
struct FullDiskTests {
  @Test func `a full disk is reported, loses nothing, and recovers`() async throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(folder.path)
    let place = try await ServerPlace(.sqlite(in: disk.path), ["--metrics", "public"])
    let server = try await ServerProcess.start(place)
    let ledger = Ledger()
    let port = server.port
    // Until no client makes progress.
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<20_000 where ledger.refusals.isEmpty {
            do { try await Client(at: port, ledger).signUp() } catch is Client.Refused {}
          }
        }
      }
      try await group.waitForAll()
    }
    // A write that fails for six may fit for one.
    await #expect(throws: Client.Refused.self) { while true { try await Client(at: port, ledger).signUp() } }
    #expect(ledger.recorded.count > 10)
    #expect(Set(ledger.refusals.keys) == ["503 service.storage-full"])
    try await Line(to: port).ask("GET", "/healthz").expect(200)
    // The result of a check is kept for a second.
    let line = Line(to: port)
    func becomesReady(_ status: Int) async throws -> Bool {
      try await HangGuard.waits { () async throws -> Bool in try await line.ask("GET", "/readyz").status == status }
    }
    #expect(try await becomesReady(503))
    try await line.ask("GET", "/readyz").expect(503, "service.storage-full")
    #expect(try await line.ask("GET", "/metrics").body.contains("\npasskey_storage_up 0\n"))
    #expect(try place.output().contains { $0.contains("the database cannot be used: storage.full") })
    // Existing sessions are still valid.
    try await ledger.checkSessions(at: port)

    disk.makeRoom()
    #expect(try await becomesReady(200))
    let late = try Client(at: port, ledger)
    try await late.signOut(late.signUp())
    try await Line(to: port).ask("GET", "/readyz").expect(200)
    try await ledger.checkOneTimeRequests(at: port, round: 0)
    try await ledger.checkSessions(at: port)
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
    let trail = try await place.trail()
    ledger.check(trail)
    // As many accounts as registrations in the audit trail: neither was committed without the other.
    let users = try await place.run("user", "list", "--json").split(separator: "\n").count
    #expect(users == trail.count { $0.event == "credential.registered" && $0.hasSucceeded })
  }
}
