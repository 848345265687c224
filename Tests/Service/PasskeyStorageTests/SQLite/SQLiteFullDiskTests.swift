// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
struct SQLiteFullDiskTests {
  @Test func `a full disk is reported, loses nothing, and recovers`() async throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(folder.path)
    let path = disk.path + "/passkey.db"
    let storage = try await SQLiteStorage.open(path)
    var written: [SampleUser] = []
    let error = await #expect(throws: StorageError.self) {
      while written.count < 100_000 {
        let people = try (0..<16).map { (_) in try SampleUser() }
        try await withThrowingTaskGroup(of: Void.self) { (group) in
          for person in people { group.addTask { try await person.register(with: storage) } }
          try await group.waitForAll()
        }
        written += people
      }
    }
    #expect(error?.code == .full)
    // A write that fails for sixteen may fit for one.
    await expectCode(.full) {
      while true {
        let person = try SampleUser()
        try await person.register(with: storage)
        written.append(person)
      }
    }
    // The row of a check may find a place, but what a registration writes does not.
    for _ in 0..<3 { await expectCode(.full) { try await storage.database.check() } }
    #expect(written.count > 100)

    // Acknowledged data are readable and complete.
    for person in written { #expect(try await storage.account(person.account.handle) == person.account) }
    try await LogWorld(storage).service.verifyAuditTrail()
    let records = try await storage.recordCount
    let accounts = try await storage.accounts(after: nil, matching: Account.Filter(), limit: 100_000)
    #expect(accounts.count == records)

    disk.makeRoom()
    try await storage.database.check()
    let late = try SampleUser()
    try await late.register(with: storage)
    #expect(try await storage.account(late.account.handle) == late.account)
    await storage.close()

    let again = try await SQLiteStorage.open(path)
    #expect(try await DatabaseChecks.verifiedRequests(again).count == Int(records) + 1)
    await again.close()
  }
}
