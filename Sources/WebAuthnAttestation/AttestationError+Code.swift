// SPDX-License-Identifier: Apache-2.0

extension AttestationError {
  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // The statement
    /// The statement is in a format that is not known.
    case unsupportedFormat = "attestation.unsupported-format"
    /// The statement does not have its format's form.
    case malformedStatement = "attestation.malformed-statement"
    /// The format is `none`, and there is a statement.
    case statementNotEmpty = "attestation.statement-not-empty"
    /// The authenticator data have no credential to attest to.
    case missingCredential = "attestation.missing-credential"
    /// The hash of the client data does not have 32 bytes.
    case invalidClientDataHash = "attestation.invalid-client-data-hash"
    /// A certificate in the statement is not one.
    case malformedCertificate = "attestation.malformed-certificate"
    /// This build does not verify the statement's algorithm.
    case unsupportedAlgorithm = "attestation.unsupported-algorithm"
    /// The statement's algorithm is not its key's.
    case algorithmMismatch = "attestation.algorithm-mismatch"
    /// The statement is signed over SHA-1 where that is not believed.
    case legacyHash = "attestation.legacy-hash"
    /// The statement's signature does not hold.
    case invalidSignature = "attestation.invalid-signature"
    /// The key that is attested to is not the credential's.
    case publicKeyMismatch = "attestation.public-key-mismatch"

    // The attestation certificate
    /// The attestation certificate is not of version 3.
    case certificateVersion = "attestation.certificate-version"
    /// The attestation certificate's subject is not of the prescribed form.
    case certificateSubject = "attestation.certificate-subject"
    /// The attestation certificate is an authority's, or does not say that it is none.
    case certificateIsAuthority = "attestation.certificate-is-authority"
    /// There are more certificates than the format has, or fewer.
    case certificateCount = "attestation.certificate-count"
    /// The attestation certificate is not for attestation keys.
    case certificatePurpose = "attestation.certificate-purpose"
    /// The attestation certificate does not name the TPM.
    case certificateAlternativeName = "attestation.certificate-alternative-name"
    /// The attestation certificate lacks an extension that its format needs.
    case missingExtension = "attestation.missing-extension"
    /// An extension of the attestation certificate cannot be read.
    case malformedExtension = "attestation.malformed-extension"
    /// An extension of FIDO's in the attestation certificate is marked critical.
    case criticalExtension = "attestation.critical-extension"
    /// The attestation certificate is of another model than the authenticator data.
    case aaguidMismatch = "attestation.aaguid-mismatch"
    /// The format is fido-u2f, and the authenticator data names a model.
    case aaguidNotZero = "attestation.aaguid-not-zero"
    /// The attestation certificate has an extension of another format's certificates.
    case foreignExtension = "attestation.foreign-extension"
    /// The statement answers another ceremony.
    case nonceMismatch = "attestation.nonce-mismatch"

    // TPM
    /// The statement is not of TPM 2.0.
    case tpmVersion = "attestation.tpm-version"
    /// The TPM's public area cannot be read.
    case tpmMalformedPublicArea = "attestation.tpm-malformed-public-area"
    /// What the TPM certified cannot be read.
    case tpmMalformedCertifyInfo = "attestation.tpm-malformed-certify-info"
    /// What was signed was not made by a TPM.
    case tpmMagic = "attestation.tpm-magic"
    /// What the TPM signed certifies no key.
    case tpmStructureType = "attestation.tpm-structure-type"
    /// What the TPM signed belongs to another ceremony.
    case tpmExtraDataMismatch = "attestation.tpm-extra-data-mismatch"
    /// The TPM certified another key.
    case tpmNameMismatch = "attestation.tpm-name-mismatch"

    // Android
    /// The Android key's certificate answers another ceremony.
    case androidChallengeMismatch = "attestation.android-challenge-mismatch"
    /// The Android key may be used by every app.
    case androidAllApplications = "attestation.android-all-applications"
    /// The Android key was not made in its keystore.
    case androidKeyOrigin = "attestation.android-key-origin"
    /// The Android key is not for signing.
    case androidKeyPurpose = "attestation.android-key-purpose"
    /// A certificate above the Android key's own describes another key.
    case androidIssuerDescription = "attestation.android-issuer-description"
    /// The Android key or its attestation is at a lower security level than the policy requires.
    case androidSecurityLevel = "attestation.android-security-level"
    /// The Android device does not meet the policy's requirements for verified boot.
    case androidVerifiedBoot = "attestation.android-verified-boot"
    /// The Android device does not tell the required security patch level, or has an older one.
    case androidPatchLevel = "attestation.android-patch-level"
    /// The SafetyNet response cannot be read.
    case safetyNetMalformedResponse = "attestation.safetynet-malformed-response"
    /// The SafetyNet response is not signed by attest.android.com.
    case safetyNetHostName = "attestation.safetynet-host-name"
    /// The phone did not pass Android's compatibility tests.
    case safetyNetProfile = "attestation.safetynet-profile"
    /// The SafetyNet response is too old, or from the future.
    case safetyNetTime = "attestation.safetynet-time"

    // Compound
    /// A compound statement has too few members, or too many.
    case compoundMemberCount = "attestation.compound-member-count"
    /// A compound statement stands inside another.
    case compoundNested = "attestation.compound-nested"
    /// No member of a compound statement holds.
    case compoundNoneHolds = "attestation.compound-none-holds"

    // What the policy does not accept
    /// The policy does not accept the format.
    case formatNotAcceptable = "attestation.format-not-acceptable"
    /// The policy demands an attestation, and there is none.
    case noneNotAcceptable = "attestation.none-not-acceptable"
    /// The policy does not accept an attestation by the credential key itself.
    case selfNotAcceptable = "attestation.self-not-acceptable"
    /// The policy demands an anchor, and no path leads to one.
    case unanchoredNotAcceptable = "attestation.unanchored-not-acceptable"
    /// A revocation list or a status list names a certificate of the attestation, or may name one that was left out.
    case certificateRevoked = "attestation.certificate-revoked"
    /// The metadata report of the model what the policy turns away.
    case authenticatorStatus = "attestation.authenticator-status"
    /// A rogue list has the authenticator's secret key.
    case authenticatorRogue = "attestation.authenticator-rogue"
    /// The policy denies the model.
    case modelDenied = "attestation.model-denied"
    /// The policy allows other models only.
    case modelNotAllowed = "attestation.model-not-allowed"
    /// The policy has requirements for the model, and no anchored attestation proves which model it is.
    case modelUnproven = "attestation.model-unproven"
    /// The policy requires something of the model's metadata, and no metadata describe the model.
    case modelUnknown = "attestation.model-unknown"
    /// The model is in none of the states that the policy requires.
    case modelStatus = "attestation.model-status"
    /// The model is not certified to the level that the policy requires.
    case modelCertificationLevel = "attestation.model-certification-level"
    /// The model does not protect its keys as the policy requires.
    case modelKeyProtection = "attestation.model-key-protection"

    // Lists
    /// The status list of attestation certificates cannot be read.
    case statusListMalformed = "attestation.status-list-malformed"

    // Metadata
    /// The metadata are larger than any that are known.
    case metadataTooLarge = "metadata.too-large"
    /// The metadata are not a signed token.
    case metadataMalformedToken = "metadata.malformed-token"
    /// What the metadata say cannot be read.
    case metadataMalformedPayload = "metadata.malformed-payload"
    /// An entry of the metadata cannot be read; the others can.
    case metadataMalformedEntry = "metadata.malformed-entry"
    /// A certificate that signs the metadata is not one.
    case metadataMalformedCertificate = "metadata.malformed-certificate"
    /// This build does not verify the algorithm of the metadata's signature.
    case metadataUnsupportedAlgorithm = "metadata.unsupported-algorithm"
    /// The metadata's signature does not hold.
    case metadataInvalidSignature = "metadata.invalid-signature"
    /// No path leads from the metadata's signer to the root that is believed.
    case metadataUntrustedSigner = "metadata.untrusted-signer"
    /// The metadata are signed by another host than theirs.
    case metadataHostName = "metadata.host-name"
    /// The metadata are older than those that were seen before.
    case metadataNumberGoneBack = "metadata.number-gone-back"
    /// The metadata's next edition is overdue.
    case metadataExpired = "metadata.expired"
    /// The rogue list cannot be read.
    case rogueListMalformed = "metadata.rogue-list-malformed"
    /// The rogue list is not the one whose hash the metadata have.
    case rogueListMismatch = "metadata.rogue-list-mismatch"
  }
}
