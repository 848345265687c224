// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage

extension DatabaseStorage {
  /// Updates the credential by compare-and-set, stores the grant, and records it.
  package func confirm(_ commit: StepUpCommit) async throws(StorageError) -> StepUpOutcome {
    try await write(
      .account(commit.use.user, recording: commit.audit, spending: commit.ceremony)
    ) { (transaction) throws(StorageError) in
      let grant = commit.grant
      if let ceremony = commit.ceremony, try !transaction.spend(ceremony) { return .ceremonySpent }
      let answers = try transaction.batch([
        commit.use.update,
        SQLStatement(
          "SELECT number FROM sessions WHERE id = $1 AND user_handle = $2",
          [.fixed(grant.session), .opaque(grant.user)]),
      ])
      guard answers.first?.isEmpty == false else {
        transaction.requestRollback()
        return .credentialChanged
      }
      guard answers.last?.isEmpty == false else {
        transaction.requestRollback()
        return .sessionEnded
      }
      try transaction.run(grant.insertion)
      try transaction.record(commit.audit)
      return .granted
    }
  }

  /// Stores a grant that no passkey has confirmed, for a session that removed the last passkey of its account, and
  /// records it. ``AccountSession/lastPasskeyRemoved`` must still have this value.
  ///
  /// - Returns: Whether the session exists and has the value.
  package func grant(
    _ grant: StepUpGrant, afterRemovalAt removal: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let search = SQLStatement(
      "SELECT number FROM sessions WHERE id = $1 AND user_handle = $2 AND last_passkey_removed = $3",
      [.fixed(grant.session), .opaque(grant.user), .time(removal)])
    return try await write(.account(grant.user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(search) != nil else { return false }
      try transaction.run(grant.insertion)
      try transaction.record(audit)
      return true
    }
  }

  /// Spends a grant on an action that the caller performs outside the store, and records it. Of any number of concurrent
  /// calls, on any number of servers, only one succeeds. ``GrantSpending/judge(_:)`` decides what becomes of a grant
  /// that does not match.
  ///
  /// - Returns: Whether the grant matches.
  package func spend(_ grant: GrantSpending, audit: [AuditDraft]) async throws(StorageError) -> Bool {
    try await write(.account(grant.user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.spend(grant) else { return false }
      try transaction.record(audit)
      return true
    }
  }
}
