// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

extension DatabaseStorage {
  /// Stores a one-time code. A code for an account replaces the account's earlier codes.
  public func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CodeIssue {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      try transaction.carryOut(spending: grant, audit) { () throws(StorageError) in
        if let account = code.account, try transaction.row(SQLStatement(Account.byHandle, [.opaque(account)])) == nil {
          return .unknownAccount
        }
        try transaction.run(code.insertions)
        return .issued
      }
    }
  }

  /// Returns the one-time code with this digest, or nil.
  public func code(_ digest: TokenDigest) async throws(StorageError) -> IssuedCode? {
    try await database.find { (transaction) throws(StorageError) in
      try IssuedCode(transaction.rows(SQLStatement(IssuedCode.byDigest, [.fixed(digest)])))
    }
  }
}
