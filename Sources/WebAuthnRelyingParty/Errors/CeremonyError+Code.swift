// SPDX-License-Identifier: Apache-2.0

extension CeremonyError {
  /// The causes for which a ceremony fails. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Before the first step
    case pendingMalformed = "ceremony.pending-malformed"
    case pendingVersionUnknown = "ceremony.pending-version-unknown"
    case pendingOfAnotherRelyingParty = "ceremony.pending-of-another-relying-party"
    case expired = "ceremony.expired"
    case purposeMismatch = "ceremony.purpose-mismatch"
    case configurationInvalid = "ceremony.configuration-invalid"
    case randomnessUnavailable = "ceremony.randomness-unavailable"

    // §7.1
    case registrationClientDataMalformed = "registration.client-data-malformed"
    case registrationTypeMismatch = "registration.type-mismatch"
    case registrationChallengeMismatch = "registration.challenge-mismatch"
    case registrationOriginMismatch = "registration.origin-mismatch"
    case registrationCrossOriginRefused = "registration.cross-origin-refused"
    case registrationTopOriginMismatch = "registration.top-origin-mismatch"
    case registrationAttestationObjectMalformed = "registration.attestation-object-malformed"
    case registrationCredentialDataMissing = "registration.credential-data-missing"
    case registrationCredentialIDMismatch = "registration.credential-id-mismatch"
    case registrationKeyMalformed = "registration.key-malformed"
    case registrationRelyingPartyIDMismatch = "registration.rp-id-mismatch"
    case registrationUserNotPresent = "registration.user-not-present"
    case registrationUserNotVerified = "registration.user-not-verified"
    case registrationBackupStateInvalid = "registration.backup-state-invalid"
    case registrationAlgorithmNotAllowed = "registration.algorithm-not-allowed"
    case registrationFormatUnknown = "registration.format-unknown"
    case registrationAttestationInvalid = "registration.attestation-invalid"
    case registrationAttestationNotAcceptable = "registration.attestation-not-acceptable"
    case registrationCredentialIDTooLong = "registration.credential-id-too-long"
    case registrationCredentialIDKnown = "registration.credential-id-known"
    case registrationExtensionNotRequested = "registration.extension-not-requested"
    case registrationExtensionMalformed = "registration.extension-malformed"
    case registrationProtectionInsufficient = "registration.protection-insufficient"

    // §7.2
    case authenticationCredentialNotAllowed = "authentication.credential-not-allowed"
    case authenticationCredentialMismatch = "authentication.credential-mismatch"
    case authenticationUserHandleMissing = "authentication.user-handle-missing"
    case authenticationUserHandleMismatch = "authentication.user-handle-mismatch"
    case authenticationClientDataMalformed = "authentication.client-data-malformed"
    case authenticationAuthenticatorDataMalformed = "authentication.authenticator-data-malformed"
    case authenticationTypeMismatch = "authentication.type-mismatch"
    case authenticationChallengeMismatch = "authentication.challenge-mismatch"
    case authenticationOriginMismatch = "authentication.origin-mismatch"
    case authenticationCrossOriginRefused = "authentication.cross-origin-refused"
    case authenticationTopOriginMismatch = "authentication.top-origin-mismatch"
    case authenticationRelyingPartyIDMismatch = "authentication.rp-id-mismatch"
    case authenticationUserNotPresent = "authentication.user-not-present"
    case authenticationUserNotVerified = "authentication.user-not-verified"
    case authenticationBackupStateInvalid = "authentication.backup-state-invalid"
    case authenticationBackupEligibilityChanged = "authentication.backup-eligibility-changed"
    case authenticationKeyMalformed = "authentication.key-malformed"
    case authenticationSignatureInvalid = "authentication.signature-invalid"
    case authenticationSignCountNotGreater = "authentication.sign-count-not-greater"
    case authenticationExtensionNotRequested = "authentication.extension-not-requested"
    case authenticationExtensionMalformed = "authentication.extension-malformed"

    // Secure Payment Confirmation, inside §7.2
    case authenticationPaymentMalformed = "authentication.payment-malformed"
    case authenticationPaymentMismatch = "authentication.payment-mismatch"
  }
}
