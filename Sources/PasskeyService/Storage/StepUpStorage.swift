// SPDX-License-Identifier: Apache-2.0

/// Where confirmations are between the assertion and the act.
public protocol StepUpStorage: Sendable {
  /// Replaces the credential by compare-and-set, keeps the grant, and records it.
  func confirm(_ commit: StepUpCommit) async throws(StorageError) -> ConfirmationOutcome

  /// Spends a grant on an act that somebody else carries out, and records it; whether it fits. Of any number at once, on any
  /// number of servers, one succeeds. One that does not fit is gone as well.
  func spend(_ grant: GrantSpending, audit: [AuditDraft]) async throws(StorageError) -> Bool
}

/// What a finished step-up changes, all at once.
public struct StepUpCommit: Sendable {
  /// What becomes of the credential.
  public var use: CredentialUse

  /// The grant that is kept, if its session is there still.
  public var grant: StepUpGrant

  /// What is recorded.
  public var audit: [AuditDraft]

  /// Puts together what is written.
  public init(use: CredentialUse, grant: StepUpGrant, audit: [AuditDraft]) {
    self.use = use
    self.grant = grant
    self.audit = audit
  }
}

/// What became of a confirmation.
public enum ConfirmationOutcome: Hashable, Sendable {
  /// The grant is kept.
  case granted
  /// The credential is another by now, or gone.
  case credentialChanged
  /// The session has ended.
  case sessionEnded
}
