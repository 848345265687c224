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
  public static let accountCreated = Self(rawValue: "account.created")
  /// A pending account was approved.
  public static let accountApproved = Self(rawValue: "account.approved")
  /// A pending account was rejected.
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
  /// The owner of an account used a recovery code.
  public static let accountRecovered = Self(rawValue: "account.recovered")
  /// A passkey was registered.
  public static let credentialRegistered = Self(rawValue: "credential.registered")
  /// A passkey was renamed.
  public static let credentialRenamed = Self(rawValue: "credential.renamed")
  /// A passkey was deleted.
  public static let credentialDeleted = Self(rawValue: "credential.deleted")
  /// A passkey was disabled by policy.
  public static let credentialDisabled = Self(rawValue: "credential.disabled")
  /// A person entered the address of this account to sign up, or to change the address of another account.
  public static let signUpAttempted = Self(rawValue: "account.sign-up-attempted")
  /// The owner of an account, or another person, requested a recovery code by mail.
  public static let recoveryRequested = Self(rawValue: "account.recovery-requested")
  /// A pending recovery was cancelled.
  public static let recoveryCancelled = Self(rawValue: "account.recovery-cancelled")
  /// The verification of an address began.
  public static let emailVerificationRequested = Self(rawValue: "email.verification-requested")
  /// An address was verified.
  public static let emailVerified = Self(rawValue: "email.verified")
  /// Another address was requested for an account.
  public static let emailChangeRequested = Self(rawValue: "email.change-requested")
  /// The address of an account was changed.
  public static let emailChanged = Self(rawValue: "email.changed")
  /// The same change, for the mail to the replaced address.
  public static let emailReplaced = Self(rawValue: "email.replaced")
  /// A session was opened with a passkey that had not opened one before, or by a new client.
  public static let sessionNewClient = Self(rawValue: "session.new-client")
  /// A session was opened.
  public static let sessionOpened = Self(rawValue: "session.opened")
  /// A session ends soon.
  public static let sessionExpiring = Self(rawValue: "session.expiring")
  /// A refresh token was replayed, and its session was ended.
  public static let sessionReused = Self(rawValue: "session.reused")
  /// A session was ended before its expiry.
  public static let sessionRevoked = Self(rawValue: "session.revoked")
  /// All sessions of an account, or all but one, were ended.
  public static let sessionsRevoked = Self(rawValue: "session.all-revoked")
  /// An attack on an account is suspected.
  public static let securityAlert = Self(rawValue: "security.alert")
  /// An action was confirmed.
  public static let stepUpConfirmed = Self(rawValue: "step-up.confirmed")
  /// A confirmation was spent on its action.
  public static let stepUpSpent = Self(rawValue: "step-up.spent")
  /// The transparency log has a new checkpoint.
  public static let auditCheckpoint = Self(rawValue: "audit.checkpoint")
  /// A device was registered for push messages.
  public static let deviceRegistered = Self(rawValue: "device.registered")
  /// A device was revoked.
  public static let deviceRevoked = Self(rawValue: "device.revoked")
}
