// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// Checks that looking up an unknown address reads as many records as looking up an account.
enum SentinelChecks {
  static func unknownAddressCostsTheSame(_ storage: DatabaseStorage) async throws {
    let (known, locked) = (try SampleUser(), try SampleUser())
    for person in [known, locked] { try await person.register(with: storage) }
    #expect(try await storage.disable(locked.passkey.record.id, of: locked.account.handle, cloneSignal: nil, audit: []))
    let nobody = try SampleUser().account.email
    #expect(try await storage.candidate(email: known.account.email)?.credentials == [known.passkey.record.descriptor])
    #expect(try await storage.candidate(email: locked.account.email)?.credentials == [])
    #expect(try await storage.candidate(email: nobody) == nil)
    for count in 1...5 {
      if count > 1 { try await add(SampleUser().passkey, to: known.account, storage) }
      #expect(try await storage.candidate(email: known.account.email)?.credentials.count == count)
      // An account reads no stand-ins, regardless of how many an unknown address would read.
      let account = try await records(known.account.email, standInCount: 9, storage)
      let stranger = try await records(nobody, standInCount: Int64(count), storage)
      #expect(account.count == count)
      #expect(account == stranger)
    }
    #expect(try await records(locked.account.email, standInCount: 3, storage).count == 3)
    for email in [known.account.email, nobody] {
      let rows = try await rows(SQLStatement(Account.byEmailOrSentinel, [.text(email.text)]), storage)
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
    _ email: EmailAddress, standInCount: Int64, _ storage: DatabaseStorage
  ) async throws -> [Int] {
    let statement = SQLStatement(Account.candidateByEmail, [.text(email.text), .integer(standInCount)])
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
    #expect(try await storage.register(commit) == .committed(account))
  }
}
