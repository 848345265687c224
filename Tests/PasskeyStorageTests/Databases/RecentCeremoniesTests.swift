// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import TestSupport
import Testing
import WebAuthnTypes
import WireFormats

@testable import PasskeyStorage

@Suite struct RecentCeremoniesTests {
  @Test func `what does not find room is not kept, and what was taken makes room`() throws {
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    let recent = RecentCeremonies(byteLimit: 2 * RecentCeremonies.size(of: ceremonies[0]))
    #expect(try recent.keep(ceremonies[0]))
    #expect(try recent.keep(ceremonies[1]))
    #expect(try !recent.keep(ceremonies[2]))
    #expect(recent.take(ceremonies[2].id) == nil)
    #expect(recent.take(ceremonies[0].id) == ceremonies[0])
    #expect(recent.take(ceremonies[0].id) == nil)
    #expect(try recent.keep(ceremonies[2]))
  }

  @Test func `what is left is handed out at the end, once, and nothing is kept any more`() throws {
    let recent = RecentCeremonies()
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    for ceremony in ceremonies { #expect(try recent.keep(ceremony)) }
    #expect(recent.take(ceremonies[1].id) == ceremonies[1])
    #expect(Set(recent.close()) == [ceremonies[0], ceremonies[2]])
    #expect(recent.close().isEmpty)
    #expect(recent.take(ceremonies[0].id) == nil)
    #expect(try !recent.keep(ceremonies[1]))
  }

  @Test func `what is swept or forgotten makes room, and no more is swept than is asked`() throws {
    let (old, ada) = (try Sample.ceremony(until: Sample.start), try Sample.account().handle)
    let recent = RecentCeremonies(byteLimit: 3 * RecentCeremonies.size(of: old))
    for _ in 0..<2 {
      #expect(try recent.keep(Sample.ceremony(until: Sample.start)))
      #expect(try recent.keep(Sample.ceremony(until: Sample.start)))
      #expect(try recent.keep(Sample.ceremony(of: ada)))
      #expect(try !recent.keep(old))
      #expect(recent.sweep(before: Sample.time(1), limit: 1) == 1)
      #expect(recent.sweep(before: Sample.time(1), limit: 9) == 1)
      #expect(recent.sweep(before: Sample.time(1), limit: 9) == 0)
      recent.forget(of: ada)
    }
    #expect(recent.close().isEmpty)
  }

  @Test func `ceremonies without room go to the file, and come from there once`() async throws {
    let folder = try TemporaryFolder()
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    let recent = RecentCeremonies(byteLimit: RecentCeremonies.size(of: ceremonies[0]))
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db", recent: recent)
    for ceremony in ceremonies { #expect(try await storage.keep(ceremony, spending: nil, audit: []) == .kept) }
    let stored = try await storage.rowCount(of: "ceremonies")
    #expect(stored == 2)
    for ceremony in ceremonies {
      #expect(try await storage.take(ceremony.id, credential: CredentialID([1])).ceremony == ceremony)
      #expect(try await storage.take(ceremony.id, credential: CredentialID([1])).ceremony == nil)
    }
    await storage.close()
  }

  @Test func `a ceremony outlives a storage that is closed and opened again`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let first = try await SQLiteStorage.open(path)
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    for ceremony in ceremonies { _ = try await first.keep(ceremony, spending: nil, audit: []) }
    #expect(try await first.rowCount(of: "ceremonies") == 0)
    _ = try await first.take(ceremonies[0].id, credential: CredentialID([1]))
    await first.close()
    let second = try await SQLiteStorage.open(path)
    #expect(try await second.take(ceremonies[0].id, credential: CredentialID([1])).ceremony == nil)
    for ceremony in ceremonies[1...] {
      #expect(try await second.take(ceremony.id, credential: CredentialID([1])).ceremony == ceremony)
      #expect(try await second.take(ceremony.id, credential: CredentialID([1])).ceremony == nil)
    }
    await second.close()
  }
}

extension SQLiteStorage {
  fileprivate func rowCount(of table: String) async throws -> Int64 {
    try await database.read { (transaction) throws(StorageError) in
      try transaction.row(SQLStatement("SELECT count(*) FROM \(table)"))?.integer(0) ?? -1
    }
  }
}
