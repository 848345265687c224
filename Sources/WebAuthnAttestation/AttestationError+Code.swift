// SPDX-License-Identifier: Apache-2.0

extension AttestationError {
  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // The statement
    case unsupportedFormat = "attestation.unsupported-format"
    case malformedStatement = "attestation.malformed-statement"
    case statementNotEmpty = "attestation.statement-not-empty"
    case missingCredential = "attestation.missing-credential"
    case invalidClientDataHash = "attestation.invalid-client-data-hash"
    case malformedCertificate = "attestation.malformed-certificate"
    case unsupportedAlgorithm = "attestation.unsupported-algorithm"
    case algorithmMismatch = "attestation.algorithm-mismatch"
    case legacyHash = "attestation.legacy-hash"
    case invalidSignature = "attestation.invalid-signature"
    case publicKeyMismatch = "attestation.public-key-mismatch"

    // The attestation certificate
    case certificateVersion = "attestation.certificate-version"
    case certificateSubject = "attestation.certificate-subject"
    case certificateIsAuthority = "attestation.certificate-is-authority"
    case certificateCount = "attestation.certificate-count"
    case certificatePurpose = "attestation.certificate-purpose"
    case certificateAlternativeName = "attestation.certificate-alternative-name"
    case missingExtension = "attestation.missing-extension"
    case malformedExtension = "attestation.malformed-extension"
    case criticalExtension = "attestation.critical-extension"
    case aaguidMismatch = "attestation.aaguid-mismatch"
    case nonceMismatch = "attestation.nonce-mismatch"

    // TPM
    case tpmVersion = "attestation.tpm-version"
    case tpmMalformedPublicArea = "attestation.tpm-malformed-public-area"
    case tpmMalformedCertifyInfo = "attestation.tpm-malformed-certify-info"
    case tpmMagic = "attestation.tpm-magic"
    case tpmStructureType = "attestation.tpm-structure-type"
    case tpmExtraDataMismatch = "attestation.tpm-extra-data-mismatch"
    case tpmNameMismatch = "attestation.tpm-name-mismatch"

    // Android
    case androidChallengeMismatch = "attestation.android-challenge-mismatch"
    case androidAllApplications = "attestation.android-all-applications"
    case androidKeyOrigin = "attestation.android-key-origin"
    case androidKeyPurpose = "attestation.android-key-purpose"
    case safetyNetMalformedResponse = "attestation.safetynet-malformed-response"
    case safetyNetHostName = "attestation.safetynet-host-name"
    case safetyNetProfile = "attestation.safetynet-profile"
    case safetyNetTime = "attestation.safetynet-time"

    // Compound
    case compoundMemberCount = "attestation.compound-member-count"
    case compoundNested = "attestation.compound-nested"
    case compoundNoneHolds = "attestation.compound-none-holds"

    // What the policy does not accept
    case formatNotAcceptable = "attestation.format-not-acceptable"
    case noneNotAcceptable = "attestation.none-not-acceptable"
    case selfNotAcceptable = "attestation.self-not-acceptable"
    case unanchoredNotAcceptable = "attestation.unanchored-not-acceptable"
    case certificateRevoked = "attestation.certificate-revoked"
    case authenticatorStatus = "attestation.authenticator-status"

    // Metadata
    case metadataTooLarge = "metadata.too-large"
    case metadataMalformedToken = "metadata.malformed-token"
    case metadataMalformedPayload = "metadata.malformed-payload"
    case metadataMalformedEntry = "metadata.malformed-entry"
    case metadataMalformedCertificate = "metadata.malformed-certificate"
    case metadataUnsupportedAlgorithm = "metadata.unsupported-algorithm"
    case metadataInvalidSignature = "metadata.invalid-signature"
    case metadataUntrustedSigner = "metadata.untrusted-signer"
    case metadataHostName = "metadata.host-name"
    case metadataNumberGoneBack = "metadata.number-gone-back"
    case metadataExpired = "metadata.expired"
  }
}
