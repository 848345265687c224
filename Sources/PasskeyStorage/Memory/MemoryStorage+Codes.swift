// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

extension MemoryStorage {
  /// Stores a one-time code. A code for an account replaces the account's earlier codes.
  public func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> CodeIssue {
    try carryOut(spending: grant, audit) { () throws(StorageError) in
      if let account = code.account, accounts[account] == nil { return .unknownAccount }
      try checkUnused(code)
      if let account = code.account { codes = codes.filter { $0.value.account != account } }
      codes[code.digest] = code
      return .issued
    }
  }

  /// Returns the one-time code with this digest, or nil.
  public func code(_ digest: TokenDigest) throws(StorageError) -> IssuedCode? {
    codes[digest]
  }

  func checkUnused(_ code: IssuedCode) throws(StorageError) {
    guard codes[code.digest] == nil else { throw StorageError(.conflict, "code") }
  }
}
