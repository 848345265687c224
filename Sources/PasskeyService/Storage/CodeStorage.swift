// SPDX-License-Identifier: Apache-2.0

/// Where one-time codes are.
public protocol CodeStorage: Sendable {
  /// Keeps a code. One for an account takes the place of the account's earlier ones.
  func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CodeIssue

  /// The code with this hash, whether it is too old or not. It is spent by the registration
  /// (``CredentialStorage/register(_:)``).
  func code(_ digest: TokenDigest) async throws(StorageError) -> IssuedCode?
}

/// What became of a code that was to be made.
public enum CodeIssue: Hashable, Sendable {
  /// It is good.
  case issued
  /// There is no such account.
  case unknownAccount
  /// The grant is not for this act, and is gone.
  case grantRefused
}
