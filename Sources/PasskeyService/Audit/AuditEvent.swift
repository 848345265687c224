// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What happened, by the name that an audit record has for it: `area.event`. The set of them grows, and a server that
/// embeds the service adds its own.
public struct AuditEvent: OpenString {
  /// The name.
  public let rawValue: String

  /// The event with this name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// An account was made.
  public static let accountCreated = Self(rawValue: "account.created")
  /// A pending account was approved.
  public static let accountApproved = Self(rawValue: "account.approved")
  /// An account was disabled, and its sessions ended.
  public static let accountDisabled = Self(rawValue: "account.disabled")
  /// An account was enabled again.
  public static let accountEnabled = Self(rawValue: "account.enabled")
  /// An account was given other roles.
  public static let accountRolesSet = Self(rawValue: "account.roles-set")
  /// An account was erased with everything that it had.
  public static let accountErased = Self(rawValue: "account.erased")
  /// A person took a copy of what there is about them.
  public static let accountExported = Self(rawValue: "account.exported")
  /// Somebody who has not the role for it was refused to look after accounts.
  public static let administrationAttempted = Self(rawValue: "administration.attempted")
  /// A code was made with which somebody may make an account.
  public static let invitationIssued = Self(rawValue: "invitation.issued")
  /// A code was made with which somebody gets a passkey for their account.
  public static let recoveryIssued = Self(rawValue: "recovery.issued")
  /// A recovery code was used.
  public static let recoveryUsed = Self(rawValue: "recovery.used")
  /// A passkey was registered, or its registration refused.
  public static let credentialRegistered = Self(rawValue: "credential.registered")
  /// A passkey was given another name.
  public static let credentialRenamed = Self(rawValue: "credential.renamed")
  /// A passkey was deleted.
  public static let credentialDeleted = Self(rawValue: "credential.deleted")
  /// A passkey was disabled by a policy, for what its assertion showed: that there may be two of it, or that it has moved.
  public static let credentialDisabled = Self(rawValue: "credential.disabled")
  /// A signature counter did not go up.
  public static let cloneSuspected = Self(rawValue: "credential.clone-suspected")
  /// A passkey says otherwise than before that it may be backed up.
  public static let backupEligibilityChanged = Self(rawValue: "credential.backup-eligibility-changed")
  /// A passkey was backed up, or is no longer.
  public static let backupStateChanged = Self(rawValue: "credential.backup-state-changed")
  /// A session was opened, or somebody was refused who tried.
  public static let sessionOpened = Self(rawValue: "session.opened")
  /// A session was renewed.
  public static let sessionRenewed = Self(rawValue: "session.renewed")
  /// A session was ended by its owner.
  public static let sessionRevoked = Self(rawValue: "session.revoked")
  /// All sessions of an account were ended by its owner or an administrator, or all but one.
  public static let sessionsRevoked = Self(rawValue: "session.all-revoked")
  /// A token that had been used was used again, and its session ended.
  public static let refreshTokenReused = Self(rawValue: "session.refresh-token-reused")
  /// An act was confirmed, or its confirmation refused.
  public static let stepUpConfirmed = Self(rawValue: "step-up.confirmed")
  /// A confirmation was spent on its act.
  public static let stepUpSpent = Self(rawValue: "step-up.spent")
  /// A device was registered for messages.
  public static let deviceRegistered = Self(rawValue: "device.registered")
  /// The console sealed a trail that had no seal or one that did not fit.
  public static let auditSealed = Self(rawValue: "audit.sealed")
  /// A device was erased.
  public static let deviceErased = Self(rawValue: "device.erased")
}
