// SPDX-License-Identifier: Apache-2.0

extension ServiceError {
  /// The error codes. Raw values are stable; new codes may be added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Service and store
    /// The configuration is invalid: no request could succeed with it.
    case configurationInvalid = "service.configuration-invalid"
    /// The store belongs to another relying party.
    case storePartyDiffers = "service.store-party-differs"
    /// The other servers on the store use a different secret.
    case storeSecretDiffers = "service.store-secret-differs"
    /// The system supplies no random bytes.
    case randomnessUnavailable = "service.randomness-unavailable"
    /// The store is temporarily unavailable. Nothing was changed; retry later.
    case storageUnavailable = "service.storage-unavailable"
    /// The store is full. Nothing was changed.
    case storageFull = "service.storage-full"
    /// Concurrent modification. Nothing was changed; retry at once.
    case storageContended = "service.storage-contended"
    /// The store's response was lost, and the transaction may have been committed. Check before a retry.
    case storageOutcomeUnknown = "service.storage-outcome-unknown"
    /// The store failed.
    case storageFailed = "service.storage-failed"

    /// The ceremony took place on a page of another origin.
    case originMismatch = "service.origin-mismatch"

    // Registration
    /// The registration was refused.
    case signUpRefused = "sign-up.refused"
    /// Unknown registration ceremony: it is finished, expired, or was begun by another client.
    case signUpCeremonyUnknown = "sign-up.ceremony-unknown"
    /// The registration ceremony failed; see the error's cause.
    case signUpCeremonyFailed = "sign-up.ceremony-failed"
    /// Creating an account requires an invitation code, and the request has none.
    case signUpInvitationRequired = "sign-up.invitation-required"
    /// The one-time code is unknown, expired, already used, or meant for another account or address.
    case signUpCodeRefused = "sign-up.code-refused"
    /// The recovery code is valid, but its waiting period is not over.
    case signUpCodeTooEarly = "sign-up.code-too-early"
    /// Another account has the user name.
    case signUpUsernameTaken = "sign-up.username-taken"
    /// The address already has an account.
    case signUpEmailTaken = "sign-up.email-taken"
    /// The account that would get the passkey is unknown, disabled or rejected.
    case signUpAccountRefused = "sign-up.account-refused"
    /// The credential is already registered.
    case signUpCredentialKnown = "sign-up.credential-known"

    // Sign-in
    /// The sign-in was refused.
    case signInRefused = "sign-in.refused"
    /// Unknown sign-in ceremony: it is finished, expired, or was begun by another client.
    case signInCeremonyUnknown = "sign-in.ceremony-unknown"
    /// The sign-in ceremony failed; see the error's cause.
    case signInCeremonyFailed = "sign-in.ceremony-failed"
    /// The credential is not registered.
    case signInCredentialUnknown = "sign-in.credential-unknown"
    /// The credential is disabled.
    case signInCredentialDisabled = "sign-in.credential-disabled"
    /// The signature counter suggests a cloned authenticator, and the policy refuses that.
    case signInCloneSuspected = "sign-in.clone-suspected"
    /// The credential's backup eligibility changed, and the policy refuses that.
    case signInBackupEligibilityChanged = "sign-in.backup-eligibility-changed"
    /// The policy refuses the credential's stored attestation; see the error's cause.
    case signInAttestationRefused = "sign-in.attestation-refused"
    /// The sign-in is valid, but an administrator must approve the account first.
    case signInAccountPending = "sign-in.account-pending"
    /// The sign-in is valid, but the account is disabled.
    case signInAccountDisabled = "sign-in.account-disabled"
    /// The sign-in is valid, but an administrator refused to approve the account.
    case signInAccountRejected = "sign-in.account-rejected"
    /// The sign-in is valid, but the address of the account must be verified first.
    case signInEmailUnverified = "sign-in.email-unverified"
    /// Concurrent use of the credential prevented the sign-in; begin a new one.
    case signInContended = "sign-in.contended"

    // Sessions
    /// Unknown session: the token is missing or invalid, or its session has ended.
    case sessionUnknown = "session.unknown"
    /// The session has expired.
    case sessionExpired = "session.expired"
    /// The session exceeded its idle time-out.
    case sessionIdle = "session.idle"
    /// The session's account is not active.
    case sessionAccountRefused = "session.account-refused"
    /// An administrator must approve the session's account before this request is allowed.
    case sessionAccountPending = "session.account-pending"
    /// The session was not used for so long that its user must be verified again.
    case sessionVerificationRequired = "session.verification-required"
    /// The verification of the session's user was refused.
    case sessionVerificationRefused = "session.verification-refused"
    /// Unknown verification ceremony: it is finished, expired, or was begun in another session.
    case sessionVerificationUnknown = "session.verification-unknown"
    /// The verification ceremony failed; see the error's cause.
    case sessionVerificationFailed = "session.verification-failed"
    /// The account has no enabled passkey that can verify its user.
    case sessionVerificationImpossible = "session.verification-impossible"
    /// The refresh token is invalid or expired, or its session has ended.
    case sessionRenewalRefused = "session.renewal-refused"
    /// The refresh token was already used, and its session has been ended.
    case sessionRefreshTokenReused = "session.refresh-token-reused"

    // Step-up
    /// The action requires a confirmation.
    case stepUpRequired = "step-up.required"
    /// The confirmation is spent or expired, or is for another action or session.
    case stepUpGrantRefused = "step-up.grant-refused"
    /// Malformed action.
    case stepUpActionInvalid = "step-up.action-invalid"
    /// The confirmation was refused.
    case stepUpRefused = "step-up.refused"
    /// Unknown step-up ceremony: it is finished, expired, or was begun in another session.
    case stepUpCeremonyUnknown = "step-up.ceremony-unknown"
    /// The step-up ceremony failed; see the error's cause.
    case stepUpCeremonyFailed = "step-up.ceremony-failed"
    /// The passkey belongs to another account, or is disabled.
    case stepUpCredentialRefused = "step-up.credential-refused"
    /// The signature counter suggests a cloned authenticator, and the policy refuses that.
    case stepUpCloneSuspected = "step-up.clone-suspected"
    /// The credential's backup eligibility changed, and the policy refuses that.
    case stepUpBackupEligibilityChanged = "step-up.backup-eligibility-changed"
    /// Concurrent use of the credential prevented the step-up; begin a new one.
    case stepUpContended = "step-up.contended"
    /// The account has no passkey that can confirm an action: one that is enabled and whose user verification counts as
    /// a factor.
    case stepUpImpossible = "step-up.impossible"

    // Passkeys
    /// The account has no passkey with this ID; another account may have it.
    case credentialUnknown = "passkey.unknown"
    /// The passkey is the last one that the account can sign in with.
    case credentialLast = "passkey.last"
    /// The account has the maximum number of passkeys.
    case credentialTooMany = "passkey.too-many"
    /// The offer to create a passkey is of another session, or too old.
    case creationOfferRefused = "passkey.offer-refused"
    /// The name is invalid.
    case credentialNameInvalid = "passkey.name-invalid"

    // Devices
    /// The account has no such device.
    case deviceUnknown = "device.unknown"
    /// The account has the maximum number of devices.
    case deviceTooMany = "device.too-many"
    /// Invalid device token or push service name.
    case deviceInvalid = "device.invalid"

    // Accounts
    /// Unknown account.
    case accountUnknown = "account.unknown"
    /// The change is not valid in the account's state.
    case accountStateConflict = "account.state-conflict"
    /// The change would remove the last acting administrator.
    case accountLastAdministrator = "account.last-administrator"
    /// The address already has an account.
    case accountEmailTaken = "account.email-taken"
    /// The user name already has an account.
    case accountUsernameTaken = "account.username-taken"
    /// The policy requires a name that is missing, or refuses one that is given.
    case nameRefused = "account.name-refused"
    /// Invalid user name.
    case usernameInvalid = "account.username-invalid"
    /// Invalid notification preferences.
    case preferencesInvalid = "account.preferences-invalid"
    /// Invalid email address.
    case emailInvalid = "account.email-invalid"
    /// Invalid roles.
    case roleInvalid = "account.role-invalid"
    /// The account lacks the required role.
    case notPermitted = "account.not-permitted"

    // Email
    /// Unknown verification of an address: it is finished, expired, or was begun by another client.
    case emailVerificationUnknown = "email.verification-unknown"
    /// Wrong code. After the last attempt, the verification is unknown.
    case emailCodeRefused = "email.code-refused"
    /// The address of the account is verified already.
    case emailAlreadyVerified = "email.already-verified"
    /// The service sends no mail.
    case emailUnavailable = "email.unavailable"
    /// No recovery of the account is pending, or the cancellation code is wrong.
    case recoveryUnknown = "account.recovery-unknown"
    /// A recovery of the account is pending already, so no other code is sent.
    case recoveryPending = "account.recovery-pending"
    /// Only an administrator can recover accounts.
    case recoveryUnavailable = "account.recovery-unavailable"

    // The audit trail
    /// Malformed record.
    case auditRecordMalformed = "audit.record-malformed"
    /// A personal detail does not match the record's commitment.
    case auditDetailMismatch = "audit.detail-mismatch"
    /// The log has a different end than expected: another server has changed it meanwhile.
    case auditHeadMismatch = "audit.head-mismatch"
    /// A record or detail is filed under other keys than its content requires, so look-up or erasure would miss it.
    case auditFilingMismatch = "audit.filing-mismatch"
    /// A personal detail belongs to a record that does not exist.
    case auditDetailOrphaned = "audit.detail-orphaned"
    /// A record has the same personal detail twice.
    case auditDetailRepeated = "audit.detail-repeated"
    /// The log's key is not the expected one.
    case auditKeyMismatch = "audit.key-mismatch"
    /// Records, tiles and checkpoints of the log contradict each other: some were changed, removed or inserted.
    case auditLogMismatch = "audit.log-mismatch"
    /// A record has no place in the log, and none awaits it.
    case auditRecordUnplaced = "audit.record-unplaced"
    /// The log is older than a checkpoint that was kept elsewhere or cosigned by a witness, or differs from it.
    case auditRolledBack = "audit.rolled-back"
    /// No kept checkpoint has the cosignatures of witnesses that a policy requires.
    case auditQuorumMissing = "audit.quorum-missing"
    /// The checkpoint that this server kept beside its secret cannot be read, so it cannot reveal a rollback.
    case auditCheckpointUnreadable = "audit.checkpoint-unreadable"
    /// There is no record with this number or ID.
    case auditRecordUnknown = "audit.record-unknown"
    /// No checkpoint covers the record: it was written just now, or no server signs the log.
    case auditRecordUnproven = "audit.record-unproven"
    /// The audit log is not writable, and the server is configured to refuse requests meanwhile.
    case auditLogUnavailable = "audit.log-unavailable"
  }

  /// The code to show to clients. It is a more general code where the exact one would reveal who has an account or a
  /// credential, or which part of a response was wrong.
  public var publicCode: Code {
    if foreignOrigin != nil { return .originMismatch }
    return switch code {
    case .signUpCeremonyFailed, .signUpEmailTaken, .signUpAccountRefused, .signUpCredentialKnown: .signUpRefused
    case .signInCeremonyFailed, .signInCredentialUnknown, .signInCredentialDisabled, .signInCloneSuspected,
      .signInBackupEligibilityChanged, .signInAttestationRefused:
      .signInRefused
    case .stepUpCeremonyFailed, .stepUpCredentialRefused, .stepUpCloneSuspected, .stepUpBackupEligibilityChanged:
      .stepUpRefused
    case .sessionRefreshTokenReused: .sessionRenewalRefused
    case .sessionVerificationFailed: .sessionVerificationRefused
    default: code
    }
  }
}
