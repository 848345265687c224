// SPDX-License-Identifier: Apache-2.0

extension CeremonyError {
  /// The causes for which a ceremony fails. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Before the first step
    /// What came out of the store is not a pending ceremony of this kind.
    case pendingMalformed = "ceremony.pending-malformed"
    /// The pending ceremony was written by a later version.
    case pendingVersionUnknown = "ceremony.pending-version-unknown"
    /// The pending ceremony was begun for another RP ID.
    case pendingOfAnotherRelyingParty = "ceremony.pending-of-another-relying-party"
    /// The response came too late.
    case expired = "ceremony.expired"
    /// The ceremony was begun in another session than the one that finishes it.
    case bindingMismatch = "ceremony.binding-mismatch"
    /// The assertion was asked for with another purpose: another act, another session, or a sign-in.
    case purposeMismatch = "ceremony.purpose-mismatch"
    /// Nothing could succeed with what was configured or asked for.
    case configurationInvalid = "ceremony.configuration-invalid"
    /// A web origin is neither https nor localhost's, and clients offer no ceremony there.
    case originInsecure = "ceremony.origin-insecure"
    /// The relying party has no name.
    case nameEmpty = "ceremony.name-empty"
    /// There are no random bytes for a challenge.
    case randomnessUnavailable = "ceremony.randomness-unavailable"

    // §7.1
    /// The client data are not those of §5.8.1.
    case registrationClientDataMalformed = "registration.client-data-malformed"
    /// The client data are not of a registration.
    case registrationTypeMismatch = "registration.type-mismatch"
    /// The response answers another challenge.
    case registrationChallengeMismatch = "registration.challenge-mismatch"
    /// The page was not on one of the origins.
    case registrationOriginMismatch = "registration.origin-mismatch"
    /// The page was inside one of another origin, which the policy refuses.
    case registrationCrossOriginRefused = "registration.cross-origin-refused"
    /// The page was inside one of an origin that the policy does not name.
    case registrationTopOriginMismatch = "registration.top-origin-mismatch"
    /// The attestation object or its authenticator data cannot be read.
    case registrationAttestationObjectMalformed = "registration.attestation-object-malformed"
    /// The authenticator data have no new credential.
    case registrationCredentialDataMissing = "registration.credential-data-missing"
    /// The authenticator made another credential than the response names.
    case registrationCredentialIDMismatch = "registration.credential-id-mismatch"
    /// The new public key is not one.
    case registrationKeyMalformed = "registration.key-malformed"
    /// The authenticator was asked for another RP ID.
    case registrationRelyingPartyIDMismatch = "registration.rp-id-mismatch"
    /// Nobody was there.
    case registrationUserNotPresent = "registration.user-not-present"
    /// Who was there was not verified, and had to be.
    case registrationUserNotVerified = "registration.user-not-verified"
    /// The credential is backed up and says that it may not be.
    case registrationBackupStateInvalid = "registration.backup-state-invalid"
    /// The new key's algorithm was not asked for.
    case registrationAlgorithmNotAllowed = "registration.algorithm-not-allowed"
    /// The attestation's format is not one of §8.
    case registrationFormatUnknown = "registration.format-unknown"
    /// The attestation does not hold; the cause tells why.
    case registrationAttestationInvalid = "registration.attestation-invalid"
    /// The attestation is not enough for the policy; the cause tells why.
    case registrationAttestationNotAcceptable = "registration.attestation-not-acceptable"
    /// The credential id has more than 1023 bytes.
    case registrationCredentialIDTooLong = "registration.credential-id-too-long"
    /// The credential id is registered already.
    case registrationCredentialIDKnown = "registration.credential-id-known"
    /// There is an extension output that was not asked for, and the policy refuses it.
    case registrationExtensionNotRequested = "registration.extension-not-requested"
    /// A malformed extension output: the authenticator's, or the client's of `payment`.
    case registrationExtensionMalformed = "registration.extension-malformed"
    /// The authenticator protects the credential less than was demanded, or does not say.
    case registrationProtectionInsufficient = "registration.protection-insufficient"

    // §7.2
    /// The credential is not one of those asked for.
    case authenticationCredentialNotAllowed = "authentication.credential-not-allowed"
    /// The record that was handed over is another credential's.
    case authenticationCredentialMismatch = "authentication.credential-mismatch"
    /// The response had to name the user, and does not.
    case authenticationUserHandleMissing = "authentication.user-handle-missing"
    /// The credential or the response is another user's.
    case authenticationUserHandleMismatch = "authentication.user-handle-mismatch"
    /// The client data are not those of §5.8.1.
    case authenticationClientDataMalformed = "authentication.client-data-malformed"
    /// The authenticator data cannot be read.
    case authenticationAuthenticatorDataMalformed = "authentication.authenticator-data-malformed"
    /// The client data are not of an authentication.
    case authenticationTypeMismatch = "authentication.type-mismatch"
    /// The response answers another challenge.
    case authenticationChallengeMismatch = "authentication.challenge-mismatch"
    /// The page was not on one of the origins.
    case authenticationOriginMismatch = "authentication.origin-mismatch"
    /// The page was inside one of another origin, which the policy refuses.
    case authenticationCrossOriginRefused = "authentication.cross-origin-refused"
    /// The page was inside one of an origin that the policy does not name.
    case authenticationTopOriginMismatch = "authentication.top-origin-mismatch"
    /// The authenticator was asked for another RP ID.
    case authenticationRelyingPartyIDMismatch = "authentication.rp-id-mismatch"
    /// Nobody was there.
    case authenticationUserNotPresent = "authentication.user-not-present"
    /// Who was there was not verified, and had to be.
    case authenticationUserNotVerified = "authentication.user-not-verified"
    /// The user was verified, and the credential's uvInitialized is false: its user verification is not a factor yet.
    case authenticationUserVerificationNotInitialized = "authentication.user-verification-not-initialized"
    /// The credential is backed up and says that it may not be.
    case authenticationBackupStateInvalid = "authentication.backup-state-invalid"
    /// Whether the credential may be backed up changed, and the policy refuses that.
    case authenticationBackupEligibilityChanged = "authentication.backup-eligibility-changed"
    /// The record's public key is not one.
    case authenticationKeyMalformed = "authentication.key-malformed"
    /// The signature is not the credential's over this ceremony.
    case authenticationSignatureInvalid = "authentication.signature-invalid"
    /// The signature counter did not go up, and the policy refuses that.
    case authenticationSignCountNotGreater = "authentication.sign-count-not-greater"
    /// There is an extension output that was not asked for, and the policy refuses it.
    case authenticationExtensionNotRequested = "authentication.extension-not-requested"
    /// A malformed extension output: the authenticator's, or the client's of `appid` or `payment`.
    case authenticationExtensionMalformed = "authentication.extension-malformed"

    // Secure Payment Confirmation, inside §7.2
    /// The client data do not tell, or not in its form, what was shown of the payment.
    case authenticationPaymentMalformed = "authentication.payment-malformed"
    /// What was shown of the payment is not what was to be shown.
    case authenticationPaymentMismatch = "authentication.payment-mismatch"

    // Documents that a server serves
    /// An app is not named as its platform names apps.
    case documentApplicationInvalid = "document.application-invalid"
    /// A certificate's fingerprint is not 32 bytes, or there is none.
    case documentFingerprintInvalid = "document.fingerprint-invalid"
    /// A site is not an origin of https.
    case documentSiteInvalid = "document.site-invalid"
    /// An address is not a whole URL of https.
    case documentURLInvalid = "document.url-invalid"

    // Signals
    /// A signal with no credential would take all of the user's passkeys away.
    case signalWithoutCredentials = "signal.without-credentials"
    /// A credential in the signal is another user's.
    case signalOfAnotherUser = "signal.of-another-user"
    /// A credential in the signal belongs to another RP ID.
    case signalOfAnotherRelyingParty = "signal.of-another-relying-party"

    // Decoys
    /// The key that decoys are made with is too short to be secret.
    case decoyKeyTooShort = "decoys.key-too-short"
    /// The population that decoys imitate is not one.
    case decoyPopulationInvalid = "decoys.population-invalid"

    // A stored credential, judged again
    /// The record keeps no attestation object or no client data.
    case reassessmentAttestationMissing = "reassessment.attestation-missing"
    /// The attestation that the record keeps cannot be read.
    case reassessmentAttestationMalformed = "reassessment.attestation-malformed"
    /// The attestation that the record keeps is about another credential, key or relying party.
    case reassessmentAttestationMismatch = "reassessment.attestation-mismatch"
    /// The attestation that the record keeps does not hold; the cause tells why.
    case reassessmentAttestationInvalid = "reassessment.attestation-invalid"
    /// The attestation is no longer enough for the policy; the cause tells why.
    case reassessmentAttestationNotAcceptable = "reassessment.attestation-not-acceptable"

    // Credentials from another store
    /// The export is not one that this library writes.
    case importMalformed = "credential-import.malformed"
    /// The export was written by a later version.
    case importVersionUnknown = "credential-import.version-unknown"
    /// A record in the export cannot be read.
    case importRecordMalformed = "credential-import.record-malformed"
    /// A record's public key in the export is not one.
    case importKeyMalformed = "credential-import.key-malformed"
    /// A record in the export contradicts itself.
    case importRecordInconsistent = "credential-import.record-inconsistent"
    /// The export has a credential twice.
    case importCredentialRepeated = "credential-import.credential-repeated"
  }
}
