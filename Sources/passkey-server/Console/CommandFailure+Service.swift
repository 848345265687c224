// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

extension CommandFailure {
  /// The error for an address that already has an account.
  static let emailTaken = Self.refused(
    "there is an account with that address", hint: "passkey-server user recover makes a code for another passkey of it")

  /// Converts an error of the service into a message for the console.
  init(_ error: ServiceError) {
    switch error.code {
    case .accountUnknown: self = .refused("there is no account with that address")
    case .accountEmailTaken: self = .emailTaken
    case .accountLastAdministrator:
      self = .refused(
        "nobody could administer afterwards", hint: "give another active account the role admin first")
    case .accountStateConflict:
      self = .refused("the account is not in a state from which that leads", hint: "passkey-server user list shows it")
    case .credentialUnknown:
      self = .refused("the account has no such passkey", hint: "passkey-server user passkeys EMAIL lists them")
    case .credentialLast:
      self = .refused("it is the last passkey that can be used", hint: "--allow-last deletes it all the same")
    case .roleInvalid:
      self = .usage(
        "those are no roles",
        hint: "a role has small letters, digits and hyphens, such as admin, and there are 16 at most")
    case .storePartyDiffers:
      self = .inputOutput(
        "the database is another relying party's: \((error.detail ?? "").escapedForTerminal)",
        hint: "\(Setting.database.option) names another one, or RP_ID is not what it was")
    case .storeSecretDiffers:
      self = .inputOutput(
        "the database was used with another secret",
        hint: "all servers of a database have the same: copy it, or restore it")
    case .storageUnavailable, .storageFull, .storageContended, .storageOutcomeUnknown, .storageFailed,
      .randomnessUnavailable:
      self = .inputOutput(error.description.escapedForTerminal)
    case .auditSealMissing:
      self = .verificationFailed(
        "the audit trail has no seal: \(error.description.escapedForTerminal)",
        hint: "records may have been cut off or rewritten; passkey-server audit seal adopts a trail that you trust")
    case .auditSealMismatch:
      self = .verificationFailed(
        "the audit trail was not sealed with this secret: \(error.description.escapedForTerminal)",
        hint: "records were cut off or rewritten, or \(Setting.secret.option) names another secret")
    case .auditRecordMalformed, .auditSequenceBroken, .auditLinkBroken, .auditDetailMismatch, .auditHeadMismatch,
      .auditFilingMismatch, .auditBehindEnd, .auditDetailOrphaned, .auditDetailRepeated:
      self = .verificationFailed(
        "the audit trail does not hold: \(error.description.escapedForTerminal)",
        hint: "records were changed, or the database is damaged: compare it with a copy")
    default: self = .refused(error.description.escapedForTerminal)
    }
  }
}
