// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

extension MemoryStorage {
  /// Updates the credential and stores a step-up grant.
  public func confirm(_ commit: StepUpCommit) throws(StorageError) -> ConfirmationOutcome {
    guard let passkey = passkey(after: commit.use) else { return .credentialChanged }
    guard sessions[commit.grant.session]?.user == commit.grant.user else { return .sessionEnded }
    guard grants[commit.grant.digest] == nil else { throw StorageError(.conflict, "grant") }
    passkeys.replace(passkey)
    grants[commit.grant.digest] = commit.grant
    trail.seal(commit.audit)
    return .granted
  }

  /// Spends a step-up grant. Returns false if it is unknown or does not fit.
  public func spend(_ grant: GrantSpending, audit: [AuditDraft]) throws(StorageError) -> Bool {
    guard spendIfGiven(grant) else { return false }
    trail.seal(audit)
    return true
  }
}
