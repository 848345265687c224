// SPDX-License-Identifier: Apache-2.0

extension CeremonyError {
  /// The reasons for which a ceremony fails. Raw values are stable: none is ever renamed or removed.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Before the first step
    /// The stored bytes are not a pending ceremony of this kind.
    case pendingMalformed = "ceremony.pending-malformed"
    /// The pending ceremony was written by a later version.
    case pendingVersionUnknown = "ceremony.pending-version-unknown"
    /// The challenge was not sealed by this server, or for something else: another purpose, session, browser, store or
    /// policy.
    case sealBroken = "ceremony.seal-broken"
    /// The challenge cannot be sealed, because the system's cryptography fails.
    case sealFailed = "ceremony.seal-failed"
    /// The pending ceremony was begun for another RP ID.
    case pendingOfAnotherRelyingParty = "ceremony.pending-of-another-relying-party"
    /// The response arrived after the ceremony expired.
    case expired = "ceremony.expired"
    /// The ceremony was begun in a different session.
    case bindingMismatch = "ceremony.binding-mismatch"
    /// The assertion was requested for a different purpose: another action, another session, or a sign-in.
    case purposeMismatch = "ceremony.purpose-mismatch"
    /// No ceremony can succeed with the configuration or the request.
    case configurationInvalid = "ceremony.configuration-invalid"
    /// A web origin is neither https nor localhost, so clients offer no ceremony there.
    case originInsecure = "ceremony.origin-insecure"
    /// The name of the relying party is empty.
    case nameEmpty = "ceremony.name-empty"
    /// The system provides no random bytes for a challenge.
    case randomnessUnavailable = "ceremony.randomness-unavailable"

    // §7.1
    /// The client data do not have the form of §5.8.1.
    case registrationClientDataMalformed = "registration.client-data-malformed"
    /// The client data are not those of a registration.
    case registrationTypeMismatch = "registration.type-mismatch"
    /// The challenge in the client data differs from the ceremony's.
    case registrationChallengeMismatch = "registration.challenge-mismatch"
    /// The page's origin is not one of the relying party's origins.
    case registrationOriginMismatch = "registration.origin-mismatch"
    /// The page was embedded in a page of another origin, which the policy refuses.
    case registrationCrossOriginRefused = "registration.cross-origin-refused"
    /// The page was embedded in a page of an origin that the policy does not allow.
    case registrationTopOriginMismatch = "registration.top-origin-mismatch"
    /// The attestation object or its authenticator data are malformed.
    case registrationAttestationObjectMalformed = "registration.attestation-object-malformed"
    /// The authenticator data contain no new credential.
    case registrationCredentialDataMissing = "registration.credential-data-missing"
    /// The credential ID in the authenticator data differs from the one in the response.
    case registrationCredentialIDMismatch = "registration.credential-id-mismatch"
    /// The new public key is malformed.
    case registrationKeyMalformed = "registration.key-malformed"
    /// The authenticator data are bound to another RP ID.
    case registrationRelyingPartyIDMismatch = "registration.rp-id-mismatch"
    /// The user presence flag is not set.
    case registrationUserNotPresent = "registration.user-not-present"
    /// The user verification flag is not set, but the ceremony requires user verification.
    case registrationUserNotVerified = "registration.user-not-verified"
    /// The credential is marked as backed up but not as eligible for backup.
    case registrationBackupStateInvalid = "registration.backup-state-invalid"
    /// The algorithm of the new key was not requested.
    case registrationAlgorithmNotAllowed = "registration.algorithm-not-allowed"
    /// The attestation format is not defined in §8.
    case registrationFormatUnknown = "registration.format-unknown"
    /// The attestation is invalid; see the cause.
    case registrationAttestationInvalid = "registration.attestation-invalid"
    /// The policy does not accept the attestation; see the cause.
    case registrationAttestationNotAcceptable = "registration.attestation-not-acceptable"
    /// The credential ID is longer than 1023 bytes.
    case registrationCredentialIDTooLong = "registration.credential-id-too-long"
    /// The credential ID is already registered.
    case registrationCredentialIDKnown = "registration.credential-id-known"
    /// The response contains the output of an extension that was not requested, which the policy refuses.
    case registrationExtensionNotRequested = "registration.extension-not-requested"
    /// An extension output is malformed: one of the authenticator, or the client's `payment`.
    case registrationExtensionMalformed = "registration.extension-malformed"
    /// The authenticator's credential protection is weaker than required, or is not stated.
    case registrationProtectionInsufficient = "registration.protection-insufficient"

    // §7.2
    /// The credential is not one of the requested ones.
    case authenticationCredentialNotAllowed = "authentication.credential-not-allowed"
    /// The caller passed the record of another credential.
    case authenticationCredentialMismatch = "authentication.credential-mismatch"
    /// The response lacks the required user handle.
    case authenticationUserHandleMissing = "authentication.user-handle-missing"
    /// The credential or the response belongs to another user.
    case authenticationUserHandleMismatch = "authentication.user-handle-mismatch"
    /// The client data do not have the form of §5.8.1.
    case authenticationClientDataMalformed = "authentication.client-data-malformed"
    /// The authenticator data are malformed.
    case authenticationAuthenticatorDataMalformed = "authentication.authenticator-data-malformed"
    /// The client data are not those of an authentication.
    case authenticationTypeMismatch = "authentication.type-mismatch"
    /// The challenge in the client data differs from the ceremony's.
    case authenticationChallengeMismatch = "authentication.challenge-mismatch"
    /// The page's origin is not one of the relying party's origins.
    case authenticationOriginMismatch = "authentication.origin-mismatch"
    /// The page was embedded in a page of another origin, which the policy refuses.
    case authenticationCrossOriginRefused = "authentication.cross-origin-refused"
    /// The page was embedded in a page of an origin that the policy does not allow.
    case authenticationTopOriginMismatch = "authentication.top-origin-mismatch"
    /// The authenticator data are bound to another RP ID.
    case authenticationRelyingPartyIDMismatch = "authentication.rp-id-mismatch"
    /// The user presence flag is not set.
    case authenticationUserNotPresent = "authentication.user-not-present"
    /// The user verification flag is not set, but the ceremony requires user verification.
    case authenticationUserNotVerified = "authentication.user-not-verified"
    /// The user was verified, but the credential's uvInitialized is false, so user verification is not a factor yet.
    case authenticationUserVerificationNotInitialized = "authentication.user-verification-not-initialized"
    /// The credential is marked as backed up but not as eligible for backup.
    case authenticationBackupStateInvalid = "authentication.backup-state-invalid"
    /// The credential's backup eligibility has changed, which the policy refuses.
    case authenticationBackupEligibilityChanged = "authentication.backup-eligibility-changed"
    /// The public key of the stored record is malformed.
    case authenticationKeyMalformed = "authentication.key-malformed"
    /// The credential's key did not sign this ceremony.
    case authenticationSignatureInvalid = "authentication.signature-invalid"
    /// The signature counter did not increase, which the policy refuses.
    case authenticationSignCountNotGreater = "authentication.sign-count-not-greater"
    /// The response contains the output of an extension that was not requested, which the policy refuses.
    case authenticationExtensionNotRequested = "authentication.extension-not-requested"
    /// An extension output is malformed: one of the authenticator, or the client's `appid` or `payment`.
    case authenticationExtensionMalformed = "authentication.extension-malformed"

    // Secure Payment Confirmation, inside §7.2
    /// The payment details in the client data are missing or malformed.
    case authenticationPaymentMalformed = "authentication.payment-malformed"
    /// The displayed payment differs from the requested one.
    case authenticationPaymentMismatch = "authentication.payment-mismatch"

    // Documents that a server serves
    /// The identifier of an app is invalid on its platform.
    case documentApplicationInvalid = "document.application-invalid"
    /// The fingerprint of a certificate is not 32 bytes, or the list of fingerprints is empty.
    case documentFingerprintInvalid = "document.fingerprint-invalid"
    /// A site is not an https origin.
    case documentSiteInvalid = "document.site-invalid"
    /// An address is not an absolute https URL.
    case documentURLInvalid = "document.url-invalid"

    // Signals
    /// A signal without credentials would remove all of the user's passkeys.
    case signalWithoutCredentials = "signal.without-credentials"
    /// A credential in the signal belongs to another user.
    case signalOfAnotherUser = "signal.of-another-user"
    /// A credential in the signal belongs to another RP ID.
    case signalOfAnotherRelyingParty = "signal.of-another-relying-party"

    // Decoys
    /// The key that derives decoys is too short.
    case decoyKeyTooShort = "decoys.key-too-short"
    /// The sample of credential lists for decoys is invalid.
    case decoyPopulationInvalid = "decoys.population-invalid"

    // Reassessment of a stored credential
    /// The record contains no attestation object or no client data.
    case reassessmentAttestationMissing = "reassessment.attestation-missing"
    /// The stored attestation is malformed.
    case reassessmentAttestationMalformed = "reassessment.attestation-malformed"
    /// The stored attestation belongs to another credential, key or relying party.
    case reassessmentAttestationMismatch = "reassessment.attestation-mismatch"
    /// The stored attestation is invalid; see the cause.
    case reassessmentAttestationInvalid = "reassessment.attestation-invalid"
    /// The policy no longer accepts the attestation; see the cause.
    case reassessmentAttestationNotAcceptable = "reassessment.attestation-not-acceptable"

    // Credentials from another store
    /// The export does not have the format of this library.
    case importMalformed = "credential-import.malformed"
    /// The export was written by a later version.
    case importVersionUnknown = "credential-import.version-unknown"
    /// A record in the export is malformed.
    case importRecordMalformed = "credential-import.record-malformed"
    /// The public key of a record in the export is malformed.
    case importKeyMalformed = "credential-import.key-malformed"
    /// The fields of a record in the export contradict each other.
    case importRecordInconsistent = "credential-import.record-inconsistent"
    /// The export contains a credential twice.
    case importCredentialRepeated = "credential-import.credential-repeated"
  }
}
