// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

/// The kind of an audited event, named `area.event`. The set is open: servers that embed the service add their own.
public struct AuditEvent: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates an event kind from its name, whether or not the service knows it.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// An account was created.
  package static let accountCreated = Self(rawValue: "account.created")
  /// A pending account was approved.
  package static let accountApproved = Self(rawValue: "account.approved")
  /// A pending account was rejected, and its sessions ended.
  package static let accountRejected = Self(rawValue: "account.rejected")
  /// An account was disabled, and its sessions ended.
  package static let accountDisabled = Self(rawValue: "account.disabled")
  /// A disabled account was enabled.
  package static let accountEnabled = Self(rawValue: "account.enabled")
  /// An account's roles were replaced.
  package static let accountRolesSet = Self(rawValue: "account.roles-set")
  /// An account was erased with all its data.
  package static let accountErased = Self(rawValue: "account.erased")
  /// The data of an account was exported.
  package static let accountExported = Self(rawValue: "account.exported")
  /// An account without the administrator role was refused an administrative action.
  package static let administrationAttempted = Self(rawValue: "administration.attempted")
  /// An invitation code was issued, which lets its holder create an account.
  package static let invitationIssued = Self(rawValue: "invitation.issued")
  /// A recovery code was issued, which lets the owner of an account register a new passkey.
  package static let recoveryIssued = Self(rawValue: "recovery.issued")
  /// A recovery code was used.
  package static let recoveryUsed = Self(rawValue: "recovery.used")
  /// A passkey was registered, or a registration was refused.
  package static let credentialRegistered = Self(rawValue: "credential.registered")
  /// A passkey was renamed.
  package static let credentialRenamed = Self(rawValue: "credential.renamed")
  /// A passkey was deleted.
  package static let credentialDeleted = Self(rawValue: "credential.deleted")
  /// A passkey was disabled: by policy after a clone signal or a change of backup eligibility, or after a review of its
  /// attestation.
  package static let credentialDisabled = Self(rawValue: "credential.disabled")
  /// The current attestation policy refuses a passkey, and its owner is notified.
  package static let credentialDistrusted = Self(rawValue: "credential.distrusted")
  /// A signature counter did not increase.
  package static let cloneSuspected = Self(rawValue: "credential.clone-suspected")
  /// A passkey's backup eligibility (BE) changed.
  package static let backupEligibilityChanged = Self(rawValue: "credential.backup-eligibility-changed")
  /// A passkey's backup state (BS) changed.
  package static let backupStateChanged = Self(rawValue: "credential.backup-state-changed")
  /// A session was opened, or a sign-in was refused.
  package static let sessionOpened = Self(rawValue: "session.opened")
  /// The user of a session was verified again, or that was refused.
  package static let sessionVerified = Self(rawValue: "session.verified")
  /// A session was renewed.
  package static let sessionRenewed = Self(rawValue: "session.renewed")
  /// A session was ended by its owner, or because the account exceeded its session limit.
  package static let sessionRevoked = Self(rawValue: "session.revoked")
  /// All sessions of an account, or all but one, were ended by the owner or an administrator.
  package static let sessionsRevoked = Self(rawValue: "session.all-revoked")
  /// A spent refresh token was used again, and its session was ended.
  package static let refreshTokenReused = Self(rawValue: "session.refresh-token-reused")
  /// An action was confirmed, or its confirmation was refused.
  package static let stepUpConfirmed = Self(rawValue: "step-up.confirmed")
  /// A grant was spent on its action.
  package static let stepUpSpent = Self(rawValue: "step-up.spent")
  /// A device was registered for push messages.
  package static let deviceRegistered = Self(rawValue: "device.registered")
  /// The audit log, or a new epoch of it, began.
  package static let auditLogBegan = Self(rawValue: "audit.log-began")
  /// A device was revoked: it receives no more messages.
  package static let deviceRevoked = Self(rawValue: "device.revoked")
  /// The notification preferences of an account were replaced.
  package static let preferencesSet = Self(rawValue: "account.preferences-set")

  /// A person entered the address of this account to sign up, or to change the address of another account.
  package static let signUpAttempted = Self(rawValue: "account.sign-up-attempted")
  /// The verification of an address began, and a code was mailed unless the address had too many mails.
  package static let emailVerificationRequested = Self(rawValue: "email.verification-requested")
  /// An address was verified, or a code was refused.
  package static let emailVerified = Self(rawValue: "email.verified")
  /// Another address was requested for an account.
  package static let emailChangeRequested = Self(rawValue: "email.change-requested")
  /// The address of an account was changed.
  package static let emailChanged = Self(rawValue: "email.changed")
  /// A recovery code was requested by mail.
  package static let recoveryRequested = Self(rawValue: "recovery.requested")
  /// A pending recovery was cancelled.
  package static let recoveryCancelled = Self(rawValue: "recovery.cancelled")

  /// The beginning of the name, before the first full stop, such as `account`.
  package var area: String { String(rawValue.prefix { (character) in character != "." }) }

  /// Whether the event belongs to the server that embeds the service: its area is not one of the service's areas.
  package var isOfEmbedder: Bool { !Self.ownAreas.contains(area) }

  private static let ownAreas: Set<String> = [
    "account", "administration", "audit", "credential", "device", "email", "invitation", "recovery", "security",
    "session", "step-up",
  ]

  /// The changes to accounts that administrators follow.
  static let accountChanges: Set<AuditEvent> = [
    .accountCreated, .accountApproved, .accountRejected, .accountDisabled, .accountEnabled, .accountRolesSet,
    .accountErased, .invitationIssued, .recoveryIssued,
  ]
}

/// The object of an event as a record names it: a kind and a name, such as `session:…`.
package enum AuditSubject: Hashable, Sendable {
  /// An account.
  case account(UserHandle)
  /// A passkey.
  case credential(CredentialID)
  /// A session.
  case session(AccountSessionID)
  /// A device.
  case device(Device.ID)
  /// A one-time code, by its hash.
  case code(TokenDigest)
  /// A protected action, by its digest.
  case action([UInt8])
  /// An email ceremony.
  case emailCeremony(EmailCeremonyID)
  /// An object of a server that embeds the service.
  case other(kind: String, name: String)

  /// Creates the subject that a server names.
  init?(_ other: (kind: String, name: String)?) {
    guard let other else { return nil }
    self = .other(kind: other.kind, name: other.name)
  }

  /// The text in the record.
  package var text: String {
    switch self {
    case .account(let handle): "account:\(handle)"
    case .credential(let id): "credential:\(id)"
    case .session(let id): "session:\(id)"
    case .device(let id): "device:\(id)"
    case .code(let digest): "code:\(digest)"
    case .action(let digest): "action:\(Base64URL.encode(digest))"
    case .emailCeremony(let id): "\(NoticeMember.ceremony.name):\(id)"
    case .other(let kind, let name): "\(kind):\(name)"
    }
  }
}
