// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeySQLite
@testable import PasskeyStorage

/// Other programs that change the files of an open database.
@Suite struct SQLiteFileGuardTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/passkey.db" }
  private var log: String { path + "-wal" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func register(_ count: Int, with storage: SQLiteStorage) async throws -> [SampleUser] {
    var people: [SampleUser] = []
    for _ in 0..<count {
      let person = try SampleUser()
      try await person.register(with: storage)
      people.append(person)
    }
    return people
  }

  /// Overwrites bytes of a file, as another program does.
  private static func overwrite(_ path: String, from start: Int, _ bytes: [UInt8]) throws {
    let file = unsafe open(path, O_WRONLY)
    #expect(file >= 0)
    #expect(unsafe pwrite(file, bytes, bytes.count, start) == bytes.count)
    close(file)
  }

  /// Expects that neither a write nor a check is acknowledged, and returns the reason.
  private func refusal(by storage: SQLiteStorage) async throws -> String {
    let error = await #expect(throws: StorageError.self) { try await storage.database.check() }
    let person = try SampleUser()
    await #expect(throws: StorageError.self) { try await person.register(with: storage) }
    #expect(error?.code == .unavailable)
    return error?.detail ?? ""
  }

  /// Waits until the database file has what the log had.
  private func isSaved(_ storage: SQLiteStorage) async throws -> Bool {
    try await HangGuard.waits { () async throws -> Bool in
      await storage.findFault()?.detail.contains("has all acknowledged changes") == true
    }
  }

  /// Opens a copy of the files, as after a kill, and expects sound pages and these people.
  private func expectCopy(has people: [SampleUser], lacks others: [SampleUser] = []) async throws {
    let copy = try TemporaryFolder()
    for name in try File.names(in: folder.path) where !name.hasSuffix("-shm") {
      try File.write(File.bytes("\(folder.path)/\(name)"), to: "\(copy.path)/\(name)")
    }
    let file = try OwnFile(copy.path + "/passkey.db")
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    let storage = try await SQLiteStorage.open(copy.path + "/passkey.db")
    for person in people { #expect(try await storage.account(person.account.handle) != nil) }
    for person in others { #expect(try await storage.account(person.account.handle) == nil) }
    await storage.close()
  }

  @Test(arguments: ["passkey.db-wal", "passkey.db-shm", "both"])
  func `what a removed log had is saved, and nothing is acknowledged any more`(_ name: String) async throws {
    let storage = try await SQLiteStorage.open(path)
    let people = try await register(20, with: storage)
    for end in ["-wal", "-shm"] where name == "both" || name.hasSuffix(end) { unsafe unlink(path + end) }
    #expect(try await refusal(by: storage).contains("was removed or replaced"))
    #expect(try await isSaved(storage))
    try await expectCopy(has: people)
    await storage.close()
    try await expectCopy(has: people)
  }

  @Test func `the first commit after the log was removed is not acknowledged`() async throws {
    let storage = try await SQLiteStorage.open(path)
    _ = try await register(1, with: storage)
    unsafe unlink(log)
    await expectCode(.outcomeUnknown) { _ = try await register(1, with: storage) }
    await expectCode(.unavailable) { _ = try await register(1, with: storage) }
    await storage.close()
  }

  @Test func `files that return can be used again, and have everything`() async throws {
    let storage = try await SQLiteStorage.open(path)
    let people = try await register(5, with: storage)
    unsafe rename(log, log + ".away")
    try File.write([1, 2, 3], to: log)
    #expect(try await refusal(by: storage).contains("passkey.db-wal\" was removed or replaced"))
    unsafe rename(log + ".away", log)
    try await storage.database.check()
    #expect(storage.fault == nil)
    let late = try await register(5, with: storage)
    try await expectCopy(has: people + late)
    await storage.close()
  }

  @Test(arguments: [0, 32, 2])
  func `a log that was cut is noticed, also after a write behind the hole`(_ part: Int) async throws {
    let storage = try await SQLiteStorage.open(path)
    let people = try await register(20, with: storage)
    // To nothing, to its header, or to the half.
    let size = try File.bytes(log).count
    unsafe truncate(log, part == 2 ? size / 2 : part)
    await #expect(throws: StorageError.self) { _ = try await register(1, with: storage) }
    #expect(try await refusal(by: storage).contains("was cut or overwritten, and the latest changes are lost"))
    // The end copies no hole into the database file.
    await storage.close()
    try await expectCopy(has: [], lacks: part == 2 ? [] : people)
  }

  @Test(arguments: [0.0, 0.3, 0.6])
  func `a log that was overwritten is noticed by a check`(_ start: Double) async throws {
    let storage = try await SQLiteStorage.open(path)
    _ = try await register(40, with: storage)
    let size = try File.bytes(log).count
    try Self.overwrite(log, from: Int(start * Double(size)), [UInt8](repeating: 0xaa, count: size / 8))
    #expect(try await refusal(by: storage).contains("was cut or overwritten"))
    await storage.close()
    try await expectCopy(has: [])
  }

  /// Copies all frames to the database file. While the returned connection reads, the log does not begin again.
  private func checkpoint() throws -> SQLiteConnection {
    let reader = try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
    _ = try reader.rows("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM accounts")
    let connection = try SQLiteConnection(path, for: .writing, busyTimeout: .seconds(HangGuard.seconds))
    _ = try connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
    return reader
  }

  @Test func `damage to frames that the database file has loses nothing`() async throws {
    let storage = try await SQLiteStorage.open(path)
    var people = try await register(10, with: storage)
    let reader = try checkpoint()
    people += try await register(10, with: storage)
    try Self.overwrite(log, from: 0, [UInt8](repeating: 0, count: 5_000))
    _ = try reader.rows("COMMIT")
    await #expect(throws: StorageError.self) { _ = try await register(1, with: storage) }
    // The log begins again, and the store can be used again.
    #expect(try await HangGuard.waits { () async throws -> Bool in await storage.findFault() == nil })
    people += try await register(5, with: storage)
    try await expectCopy(has: people)
    await storage.close()
    try await expectCopy(has: people)
  }

  @Test func `a log that is shorter than what the database file has is moved aside`() async throws {
    let storage = try await SQLiteStorage.open(path)
    let people = try await register(20, with: storage)
    let reader = try checkpoint()
    let late = try await register(20, with: storage)
    let size = try File.bytes(log).count
    unsafe truncate(log, size / 4)
    _ = try reader.rows("COMMIT")
    #expect(try await refusal(by: storage).contains("the latest changes are lost"))
    #expect(
      try await HangGuard.waits { () async throws -> Bool in
        try File.names(in: folder.path).contains("passkey.db-wal.damaged")
      })
    try await expectCopy(has: people, lacks: late)
    await storage.close()
    try await expectCopy(has: people, lacks: late)
  }

  @Test func `other processes that write, empty or begin the log again are no fault`() async throws {
    let storage = try await SQLiteStorage.open(path)
    let other = try SQLiteConnection(path, for: .writing, busyTimeout: .seconds(HangGuard.seconds))
    let passes = Tier.choose(change: 20, merge: 100, night: 1_000)
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      group.addTask { for _ in 0..<passes { _ = try await register(4, with: storage) } }
      group.addTask { for _ in 0..<passes { try await storage.database.check() } }
      group.addTask {
        try await waiting {
          for pass in 0..<passes {
            try other.execute("UPDATE write_check SET count = count + 1")
            _ = try? other.rows("PRAGMA wal_checkpoint(\(["PASSIVE", "RESTART", "TRUNCATE"][pass % 3]))")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await storage.findFault() == nil)
    await storage.close()
  }

  @Test func `a page that SQLite cannot read fails the check, although a row can be written`() async throws {
    let storage = try await SQLiteStorage.open(path)
    _ = try await register(50, with: storage)
    let file = try OwnFile(path)
    let root = try Int(file.value("SELECT rootpage FROM sqlite_schema WHERE name = 'passkeys'") ?? "") ?? 0
    _ = try checkpoint()
    try #require(root > 1)
    try Self.overwrite(path, from: (root - 1) * 4_096, [UInt8](repeating: 0xff, count: 4_096))
    try await storage.database.check()
    await expectCode(.corrupt) { _ = try await storage.passkeys(after: nil, limit: 10) }
    let error = await #expect(throws: StorageError.self) { try await storage.database.check() }
    #expect(error?.code == .corrupt && error?.detail.contains("restore a backup") == true)
    await storage.close()
  }
}
