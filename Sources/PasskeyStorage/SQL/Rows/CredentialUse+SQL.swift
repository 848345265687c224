// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension CredentialUse {
  /// The SQL equivalent of ``applied(to:)``, under the same condition. Returns a row if the condition held.
  var update: SQLStatement { SQLStatement(Self.update, values) }

  /// The same update, on the additional condition that the account is active.
  var updateOfActive: SQLStatement { SQLStatement(Self.updateOfActive, values) }

  private static let update = """
    UPDATE passkeys SET sign_count = $4, backup_state = $5,
      last_used = CASE WHEN last_used > $6 THEN last_used ELSE $6 END,
      clone_signal = coalesce($7, clone_signal), backup_signal = coalesce($8, backup_signal),
      revision = revision + $9
    WHERE id = $1 AND user_handle = $2 AND revision = $3 AND disabled = 0
    RETURNING revision
    """

  private static let updateOfActive = update.replacing(
    "RETURNING", with: "AND EXISTS (SELECT 1 FROM accounts WHERE handle = $2 AND state = 'active') RETURNING")

  private var values: [SQLValue] {
    [
      .opaque(credential), .opaque(user), .integer(revision), .integer(Int64(signCount)), .flag(backupState),
      .time(time), .time(suspectsClone ? time : nil), .time(changesBackupEligibility ? time : nil),
      .flag(changesRecord),
    ]
  }
}
