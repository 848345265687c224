// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The kind of event that a notice reports, named `area.event`. The set is open: servers that embed the service add their
/// own.
public struct NoticeEvent: OpenString {
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
  /// A pending account was rejected.
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
  /// The owner of an account used a recovery code.
  package static let accountRecovered = Self(rawValue: "account.recovered")
  /// A passkey was registered.
  package static let credentialRegistered = Self(rawValue: "credential.registered")
  /// A passkey was renamed.
  package static let credentialRenamed = Self(rawValue: "credential.renamed")
  /// A passkey was deleted.
  package static let credentialDeleted = Self(rawValue: "credential.deleted")
  /// A passkey was disabled by policy.
  package static let credentialDisabled = Self(rawValue: "credential.disabled")
  /// An invitation was mailed.
  package static let accountInvited = Self(rawValue: "account.invited")
  /// A person entered the address of this account to sign up, or to change the address of another account.
  package static let signUpAttempted = Self(rawValue: "account.sign-up-attempted")
  /// The owner of an account, or another person, requested a recovery code by mail.
  package static let recoveryRequested = Self(rawValue: "account.recovery-requested")
  /// A pending recovery was cancelled.
  package static let recoveryCancelled = Self(rawValue: "account.recovery-cancelled")
  /// The verification of an address began.
  package static let emailVerificationRequested = Self(rawValue: "email.verification-requested")
  /// An address was verified.
  package static let emailVerified = Self(rawValue: "email.verified")
  /// Another address was requested for an account.
  package static let emailChangeRequested = Self(rawValue: "email.change-requested")
  /// The address of an account was changed.
  package static let emailChanged = Self(rawValue: "email.changed")
  /// The same change, for the mail to the replaced address.
  package static let emailReplaced = Self(rawValue: "email.replaced")
  /// A session was opened with a passkey that had not opened one before, or by a new client.
  package static let sessionNewClient = Self(rawValue: "session.new-client")
  /// A session was opened.
  package static let sessionOpened = Self(rawValue: "session.opened")
  /// A session ends soon.
  package static let sessionExpiring = Self(rawValue: "session.expiring")
  /// A refresh token was replayed, and its session was ended.
  package static let sessionReused = Self(rawValue: "session.reused")
  /// A session was ended before its expiry.
  package static let sessionRevoked = Self(rawValue: "session.revoked")
  /// All sessions of an account, or all but one, were ended.
  package static let sessionsRevoked = Self(rawValue: "session.all-revoked")
  /// An attack on an account is suspected.
  package static let securityAlert = Self(rawValue: "security.alert")
  /// An action was confirmed.
  package static let stepUpConfirmed = Self(rawValue: "step-up.confirmed")
  /// A confirmation was spent on its action.
  package static let stepUpSpent = Self(rawValue: "step-up.spent")
  /// The transparency log has a new checkpoint.
  package static let auditCheckpoint = Self(rawValue: "audit.checkpoint")
  /// A device was registered for push messages.
  package static let deviceRegistered = Self(rawValue: "device.registered")
  /// A device was revoked.
  package static let deviceRevoked = Self(rawValue: "device.revoked")
}
