// SPDX-License-Identifier: Apache-2.0

/// Storage of one-time codes.
public protocol CodeStorage: Sendable {
  /// Stores a code. A code for an account replaces the account's earlier ones.
  func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CodeIssue

  /// Returns the code with this hash, even if it has expired. A registration spends it
  /// (``CredentialStorage/register(_:)``).
  func code(_ digest: TokenDigest) async throws(StorageError) -> IssuedCode?
}

/// The outcome of issuing a code.
public enum CodeIssue: Hashable, Sendable {
  /// The code was stored.
  case issued
  /// The account does not exist.
  case unknownAccount
  /// The grant does not fit this action. It has been deleted.
  case grantRefused
}
