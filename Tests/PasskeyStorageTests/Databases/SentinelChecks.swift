// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// What is done to find out who has an address, counted: the same for somebody and for nobody.
enum SentinelChecks {
  static func findingNobodyTakesTheSame(_ storage: DatabaseStorage) async throws {
    let (known, locked) = (try Person(), try Person())
    for person in [known, locked] { try await person.register(with: storage) }
    #expect(try await storage.disable(locked.passkey.record.id, of: locked.account.handle, cloneSignal: nil, audit: []))
    let nobody = try Person().account.email
    #expect(try await storage.candidate(email: known.account.email)?.credentials == [known.passkey.record.descriptor])
    #expect(try await storage.candidate(email: locked.account.email)?.credentials == [])
    #expect(try await storage.candidate(email: nobody) == nil)
    var decoded: [Int] = []
    var lengths: [Int] = []
    for email in [known.account.email, nobody, locked.account.email] {
      let rows = try await storage.database.read { (transaction) throws(StorageError) in
        try transaction.rows(SQLStatement(Account.candidateByEmail, [.text(email.text)]))
      }
      _ = try Account(rows)
      for row in rows { _ = try CredentialRecord(parsing: row.bytes(Account.columnCount)) }
      decoded.append(rows.count)
      lengths.append(try rows.reduce(0) { (sum, row) in try sum + row.bytes(Account.columnCount).count })
    }
    #expect(decoded == [1, 1, 1])
    #expect(Set(lengths).count == 1)
  }
}
