// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService
@testable import PasskeyStorage

/// Checks that looking up an unknown address reads as many records as looking up an account.
enum SentinelChecks {
  static func unknownAddressCostsTheSame(_ storage: DatabaseStorage) async throws {
    let (known, locked) = (try SampleUser(), try SampleUser())
    for person in [known, locked] { try await person.register(with: storage) }
    #expect(try await storage.disable(locked.passkey.record.id, of: locked.account.handle, cloneSignal: nil, audit: []))
    let nobody = try SampleUser().account.names.primary
    #expect(try await storage.candidate(known.account.names.primary)?.credentials == [known.passkey.record.descriptor])
    #expect(try await storage.candidate(locked.account.names.primary)?.credentials == [])
    #expect(try await storage.candidate(nobody) == nil)
    for count in 1...5 {
      if count > 1 { try await add(SampleUser().passkey, to: known.account, storage) }
      #expect(try await storage.candidate(known.account.names.primary)?.credentials.count == count)
      // An account reads no stand-ins, regardless of how many an unknown address would read.
      let account = try await records(known.account.names.primary, standInCount: 9, storage)
      let stranger = try await records(nobody, standInCount: Int64(count), storage)
      #expect(account.count == count)
      #expect(account == stranger)
      let nameless = try await records(.username(Username("Nobody")), standInCount: Int64(count), storage)
      #expect(nameless == stranger)
    }
    #expect(try await records(locked.account.names.primary, standInCount: 3, storage).count == 3)
    for name in [known.account.names.primary, nobody, .username(try Username("Nobody"))] {
      let rows = try await rows(SQLStatement(name.queries.orSentinel, [name.parameter]), storage)
      #expect(rows.count == 1)
      #expect(try Account(rows) != nil)
    }
    for handle in [.opaque(known.account.handle), Sentinel.handle] {
      #expect(try await rows(SQLStatement(Account.byHandleOrSentinel, [handle]), storage).count == 1)
    }
    for id in [known.passkey.record.id, try SampleUser().passkey.record.id] {
      let rows = try await rows(SQLStatement(Passkey.withAccount, [.opaque(id), Sentinel.firstID]), storage)
      #expect(rows.count == 1)
      #expect(try Passkey(rows) != nil)
    }
  }

  /// Returns the lengths of the records that a lookup reads.
  private static func records(
    _ name: AccountName, standInCount: Int64, _ storage: DatabaseStorage
  ) async throws -> [Int] {
    let statement = SQLStatement(name.queries.candidate, [name.parameter, .integer(standInCount)])
    return try await rows(statement, storage).filter { !$0.isNull(Account.columnCount) }
      .map { (row) in try row.bytes(Account.columnCount).count }
  }

  private static func rows(_ statement: SQLStatement, _ storage: DatabaseStorage) async throws -> [SQLRow] {
    try await storage.database.read { (transaction) throws(StorageError) in try transaction.rows(statement) }
  }

  private static func add(_ passkey: Passkey, to account: Account, _ storage: DatabaseStorage) async throws {
    var passkey = passkey
    passkey.user = account.handle
    let commit = RegistrationCommit(
      owner: .account(account.handle, session: nil), passkey: passkey, code: nil, opening: nil,
      maximumPasskeyCount: 9, time: account.created, audit: [])
    #expect(try await storage.register(commit).value == account)
  }
}
