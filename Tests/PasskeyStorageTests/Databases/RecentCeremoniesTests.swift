// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import TestSupport
import Testing
import WebAuthnTypes
import WireFormats

@testable import PasskeyStorage

@Suite struct RecentCeremoniesTests {
  @Test func `a new ceremony replaces the oldest of a client`() throws {
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    let recent = RecentCeremonies(byteLimit: 2 * BoundedCeremonies.size(of: ceremonies[0]))
    for ceremony in ceremonies { #expect(try recent.store(ceremony)) }
    #expect(recent.take(ceremonies[0].id) == nil)
    #expect(recent.take(ceremonies[1].id) == ceremonies[1])
    #expect(recent.take(ceremonies[2].id) == ceremonies[2])
    #expect(recent.take(ceremonies[2].id) == nil)
  }

  /// The numbers of flooding clients and of flooded accounts.
  @Test(arguments: [(1, 1), (1, 500), (20, 1), (20, 500), (400, 1)])
  func `a flood of ceremonies evicts only its own`(clients: Int, accounts: Int) throws {
    let users = try (0..<accounts).map { (_) in try Sample.account().handle }
    let size = BoundedCeremonies.size(of: try Sample.ceremony())
    var pending = PendingCeremonies(byteLimit: 1_000 * size)
    var owners: [PendingCeremony] = []
    for number in 0..<9_000 {
      // A client begins to sign in to a flooded account, and another one without an address.
      if number.isMultiple(of: 500) {
        for user in [users[0], nil] {
          let ceremony = try Sample.ceremony(of: user, by: [255, UInt8(number / 500), user == nil ? 0 : 1])
          owners.append(ceremony)
          try pending.store(ceremony)
        }
      }
      let client = number % clients
      try pending.store(
        Sample.ceremony(of: users[number % accounts], by: [UInt8(client >> 8), UInt8(client & 0xff)]))
      #expect(pending.byteCount <= 1_000 * size)
    }
    for ceremony in owners { #expect(pending.take(ceremony.id) == ceremony) }
  }

  @Test func `the remaining ceremonies are handed out once at the end`() throws {
    let recent = RecentCeremonies()
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    for ceremony in ceremonies { #expect(try recent.store(ceremony)) }
    #expect(recent.take(ceremonies[1].id) == ceremonies[1])
    #expect(Set(recent.close()) == [ceremonies[0], ceremonies[2]])
    #expect(recent.close().isEmpty)
    #expect(recent.take(ceremonies[0].id) == nil)
    #expect(try !recent.store(ceremonies[1]))
  }

  @Test func `deleted ceremonies are gone, and a sweep respects its limit`() throws {
    let ada = try Sample.account().handle
    let recent = RecentCeremonies()
    for _ in 0..<2 {
      #expect(try recent.store(Sample.ceremony(until: Sample.start)))
      #expect(try recent.store(Sample.ceremony(until: Sample.start)))
      #expect(try recent.store(Sample.ceremony(of: ada)))
      #expect(recent.sweep(before: Sample.time(1), limit: 1) == 1)
      #expect(recent.sweep(before: Sample.time(1), limit: 9) == 1)
      #expect(recent.sweep(before: Sample.time(1), limit: 9) == 0)
      recent.forget(of: ada)
    }
    #expect(recent.close().isEmpty)
  }

  @Test func `a flood of ceremonies does not grow the file`() async throws {
    let folder = try TemporaryFolder()
    let size = BoundedCeremonies.size(of: try Sample.ceremony())
    let storage = try await SQLiteStorage.open(
      folder.path + "/passkey.db", recent: RecentCeremonies(byteLimit: 100 * size))
    for _ in 0..<1_000 {
      #expect(try await storage.store(Sample.ceremony(), spending: nil, audit: []) == .stored)
    }
    #expect(try await storage.rowCount(of: "ceremonies") == 0)
    await storage.close()
  }

  @Test func `a ceremony survives closing and reopening the storage`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let first = try await SQLiteStorage.open(path)
    let ceremonies = try (0..<3).map { (_) in try Sample.ceremony() }
    for ceremony in ceremonies { _ = try await first.store(ceremony, spending: nil, audit: []) }
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
