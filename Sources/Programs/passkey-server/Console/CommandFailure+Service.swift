// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

extension CommandFailure {
  /// The error for an address that already has an account.
  static let emailTaken = Self.refused(
    "an account with this address exists already",
    hint: "create a code for another passkey with passkey-server user recover")

  /// Converts an error of the service into a message for the console.
  init(_ error: ServiceError) {
    self = Self.message(for: error).coded(error.code.rawValue)
  }

  private static func message(for error: ServiceError) -> Self {
    switch error.code {
    case .accountUnknown:
      .refused("there is no account with this name", hint: "list the accounts with passkey-server user list")
    case .accountEmailTaken: .emailTaken
    case .accountUsernameTaken: .refused("an account with this user name exists already")
    case .accountLastAdministrator:
      .refused(
        "no administrator would be left", hint: "give the role admin to another active account first")
    case .accountStateConflict:
      .refused(
        "the account's state does not allow this change", hint: "show the state with passkey-server user list")
    case .credentialUnknown:
      .refused(
        "the account has no such passkey", hint: "list its passkeys with passkey-server user passkeys NAME")
    case .credentialLast:
      .refused("this is the last usable passkey", hint: "use --allow-last to delete it anyway")
    case .roleInvalid:
      .usage(
        "invalid roles",
        hint: "a role has lower-case letters, digits and hyphens, such as admin; an account has at most 16")
    case .storePartyDiffers:
      .inputOutput(
        "the database belongs to another relying party: \((error.detail ?? "").escapedForTerminal)",
        hint: "check \(Setting.database.option), \(Setting.relyingPartyID.option) and \(Setting.configuration.option)")
    case .storeSecretDiffers:
      .inputOutput(
        "the database was used with a different secret",
        hint: "use the secret of the other servers, or restore the original one")
    case .storageUnavailable, .storageFull, .storageContended, .storageOutcomeUnknown, .storageFailed,
      .randomnessUnavailable:
      .inputOutput(error.description.escapedForTerminal)
    case .auditRecordMalformed, .auditDetailMismatch, .auditHeadMismatch, .auditFilingMismatch, .auditDetailOrphaned,
      .auditDetailRepeated, .auditLogMismatch, .auditRecordUnplaced, .auditCheckpointUnreadable:
      .verificationFailed(
        "the audit trail is invalid: \(error.description.escapedForTerminal)",
        hint: "records were changed, or the database is damaged: compare it with a backup")
    case .auditKeyMismatch:
      .verificationFailed(
        "the log has another key: \(error.description.escapedForTerminal)",
        hint: "check \(Setting.secret.option) and --policy; if they are right, the log was replaced: restore a backup")
    case .auditRolledBack:
      .verificationFailed(
        "the audit trail is an older copy: \(error.description.escapedForTerminal)",
        hint: "if you have restored the database, run passkey-server audit begin --after-restore")
    case .auditRecordUnknown: .refused("the trail has no record \((error.detail ?? "").escapedForTerminal)")
    case .auditQuorumMissing:
      .verificationFailed(
        "too few witnesses cosigned the log: \(error.description.escapedForTerminal)",
        hint:
          "check that the server has the witnesses of the policy (\(Setting.auditWitnesses.option)), and that they answer"
      )
    default: .refused(error.description.escapedForTerminal)
    }
  }
}
