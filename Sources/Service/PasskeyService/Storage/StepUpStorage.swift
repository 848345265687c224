// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Storage of grants between the confirmation and the action.
package protocol StepUpStorage: Sendable {
  /// Updates the credential by compare-and-set, stores the grant, and records it.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func confirm(_ commit: StepUpCommit) async throws(StorageError) -> StepUpOutcome

  /// Stores a grant that no passkey has confirmed, for a session that removed the last passkey of its account, and
  /// records it. ``AccountSession/lastPasskeyRemoved`` must still have this value.
  ///
  /// - Returns: Whether the session exists and has the value.
  /// - Throws: A ``StorageError`` if the store fails.
  func grant(
    _ grant: StepUpGrant, afterRemovalAt removal: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError)
    -> Bool

  /// Spends a grant on an action that the caller performs outside the store, and records it. Of any number of concurrent
  /// calls, on any number of servers, only one succeeds. ``GrantSpending/judge(_:)`` decides what becomes of a grant
  /// that does not match.
  ///
  /// - Returns: Whether the grant matches.
  /// - Throws: A ``StorageError`` if the store fails.
  func spend(_ grant: GrantSpending, audit: [AuditDraft]) async throws(StorageError) -> Bool
}

/// The changes of a finished step-up, committed in one transaction.
package struct StepUpCommit: Sendable {
  /// The ceremony to spend; nil for a commit that finishes none.
  package var ceremony: CeremonyID?

  /// The changes to the credential.
  package var use: CredentialUse

  /// The grant to store, if its session still exists.
  package var grant: StepUpGrant

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// Creates a commit from its fields.
  package init(use: CredentialUse, grant: StepUpGrant, audit: [AuditDraft]) {
    self.use = use
    self.grant = grant
    self.audit = audit
  }
}

/// The outcome of a confirmation.
package enum StepUpOutcome: Hashable, Sendable {
  /// The ceremony is spent. Comes before the others.
  case ceremonySpent
  /// The grant was stored.
  case granted
  /// The credential has changed since it was read, or is deleted.
  case credentialChanged
  /// The session has ended.
  case sessionEnded
}
