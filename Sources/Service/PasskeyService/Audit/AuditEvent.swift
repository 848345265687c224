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
  public static let accountCreated = Self(rawValue: "account.created")
  /// A pending account was approved.
  public static let accountApproved = Self(rawValue: "account.approved")
  /// A pending account was rejected, and its sessions ended.
  public static let accountRejected = Self(rawValue: "account.rejected")
  /// An account was disabled, and its sessions ended.
  public static let accountDisabled = Self(rawValue: "account.disabled")
  /// A disabled account was enabled.
  public static let accountEnabled = Self(rawValue: "account.enabled")
  /// An account's roles were replaced.
  public static let accountRolesSet = Self(rawValue: "account.roles-set")
  /// An account was erased with all its data.
  public static let accountErased = Self(rawValue: "account.erased")
  /// The data of an account was exported.
  public static let accountExported = Self(rawValue: "account.exported")
  /// An account without the administrator role was refused an administrative action.
  public static let administrationAttempted = Self(rawValue: "administration.attempted")
  /// An invitation code was issued, which lets its holder create an account.
  public static let invitationIssued = Self(rawValue: "invitation.issued")
  /// A recovery code was issued, which lets the owner of an account register a new passkey.
  public static let recoveryIssued = Self(rawValue: "recovery.issued")
  /// A recovery code was used.
  public static let recoveryUsed = Self(rawValue: "recovery.used")
  /// A passkey was registered, or a registration was refused.
  public static let credentialRegistered = Self(rawValue: "credential.registered")
  /// A passkey was renamed.
  public static let credentialRenamed = Self(rawValue: "credential.renamed")
  /// A passkey was deleted.
  public static let credentialDeleted = Self(rawValue: "credential.deleted")
  /// A passkey was disabled: by policy after a clone signal or a change of backup eligibility, or after a review of its
  /// attestation.
  public static let credentialDisabled = Self(rawValue: "credential.disabled")
  /// The current attestation policy refuses a passkey, and its owner is notified.
  public static let credentialDistrusted = Self(rawValue: "credential.distrusted")
  /// A signature counter did not increase.
  public static let cloneSuspected = Self(rawValue: "credential.clone-suspected")
  /// A passkey's backup eligibility (BE) changed.
  public static let backupEligibilityChanged = Self(rawValue: "credential.backup-eligibility-changed")
  /// A passkey's backup state (BS) changed.
  public static let backupStateChanged = Self(rawValue: "credential.backup-state-changed")
  /// A session was opened, or a sign-in was refused.
  public static let sessionOpened = Self(rawValue: "session.opened")
  /// The user of a session was verified again, or that was refused.
  public static let sessionVerified = Self(rawValue: "session.verified")
  /// A session was renewed.
  public static let sessionRenewed = Self(rawValue: "session.renewed")
  /// A session was ended by its owner, or because the account exceeded its session limit.
  public static let sessionRevoked = Self(rawValue: "session.revoked")
  /// All sessions of an account, or all but one, were ended by the owner or an administrator.
  public static let sessionsRevoked = Self(rawValue: "session.all-revoked")
  /// A spent refresh token was used again, and its session was ended.
  public static let refreshTokenReused = Self(rawValue: "session.refresh-token-reused")
  /// An action was confirmed, or its confirmation was refused.
  public static let stepUpConfirmed = Self(rawValue: "step-up.confirmed")
  /// A grant was spent on its action.
  public static let stepUpSpent = Self(rawValue: "step-up.spent")
  /// A device was registered for push messages.
  public static let deviceRegistered = Self(rawValue: "device.registered")
  /// An operator at the console sealed a trail whose seal was missing or invalid.
  public static let auditSealed = Self(rawValue: "audit.sealed")
  /// The audit log, or a new epoch of it, began.
  public static let auditLogBegan = Self(rawValue: "audit.log-began")
  /// A device was revoked: it receives no more messages.
  public static let deviceRevoked = Self(rawValue: "device.revoked")
  /// The notification preferences of an account were replaced.
  public static let preferencesSet = Self(rawValue: "account.preferences-set")

  /// A person entered the address of this account to sign up, or to change the address of another account.
  public static let signUpAttempted = Self(rawValue: "account.sign-up-attempted")
  /// The verification of an address began, and a code was mailed unless the address had too many mails.
  public static let emailVerificationRequested = Self(rawValue: "email.verification-requested")
  /// An address was verified, or a code was refused.
  public static let emailVerified = Self(rawValue: "email.verified")
  /// Another address was requested for an account.
  public static let emailChangeRequested = Self(rawValue: "email.change-requested")
  /// The address of an account was changed.
  public static let emailChanged = Self(rawValue: "email.changed")
  /// A recovery code was requested by mail.
  public static let recoveryRequested = Self(rawValue: "recovery.requested")
  /// A pending recovery was cancelled.
  public static let recoveryCancelled = Self(rawValue: "recovery.cancelled")

  /// The beginning of the name, before the first full stop, such as `account`.
  public var area: String { String(rawValue.prefix { (character) in character != "." }) }

  /// Whether the event belongs to the server that embeds the service: its area is not one of the service's areas.
  public var isOfEmbedder: Bool { !Self.ownAreas.contains(area) }

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
public enum AuditSubject: Hashable, Sendable {
  /// An account.
  case account(UserHandle)
  /// A passkey.
  case credential(CredentialID)
  /// A session.
  case session(SessionID)
  /// A device.
  case device(DeviceID)
  /// A one-time code, by its hash.
  case code(TokenDigest)
  /// A protected action, by its digest.
  case action([UInt8])
  /// An email ceremony.
  case emailCeremony(EmailCeremonyID)
  /// An object of a server that embeds the service.
  case other(kind: String, name: String)

  /// The text in the record.
  public var text: String {
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
