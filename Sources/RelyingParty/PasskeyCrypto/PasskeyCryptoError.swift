// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// A cryptographic or certificate error. Every function of this module throws this type. It never contains a key or
/// secret.
public struct PasskeyCryptoError: CodedError {
  /// The cause.
  public let code: Code

  /// Details for a log. Never contains key bytes.
  public let detail: String?

  /// The encoding error with its offset, if the cause is malformed input.
  package let wireError: WireError?

  /// Creates an error.
  package init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    wireError = nil
  }

  /// Wraps a parse error.
  package init(_ code: Code, _ wireError: WireError) {
    self.code = code
    self.detail = "\(wireError)"
    self.wireError = wireError
  }

  /// The causes of an error. Raw values are stable: cases are added, never renamed.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The running libcrypto lacks the algorithm.
    case unsupportedAlgorithm = "crypto.unsupported-algorithm"
    /// The key is well formed but invalid, for example a point that is not on its curve.
    case invalidKey = "crypto.invalid-key"
    /// The signature does not match the key and message.
    case invalidSignature = "crypto.invalid-signature"
    /// The encoding of the key is malformed.
    case malformedKey = "crypto.malformed-key"
    /// The key is for another algorithm.
    case keyMismatch = "crypto.key-mismatch"
    /// Authentication of a message failed: the key is wrong or the message was modified.
    case authenticationFailed = "crypto.authentication-failed"
    /// A key, nonce, tag or output has an invalid length.
    case invalidLength = "crypto.invalid-length"
    /// A parameter of the algorithm is invalid.
    case invalidParameter = "crypto.invalid-parameter"
    /// The operation would exceed the memory limit.
    case memoryLimitExceeded = "crypto.memory-limit-exceeded"
    /// The system's random generator failed.
    case randomnessUnavailable = "crypto.randomness-unavailable"
    /// libcrypto failed for a reason unrelated to its input.
    case libraryFailure = "crypto.library-failure"

    // Certificates and revocation lists
    /// The certificate is malformed.
    case certificateMalformed = "certificate.malformed"
    /// The certificate has a duplicate extension.
    case certificateDuplicateExtension = "certificate.duplicate-extension"
    /// The certificate has an unsupported critical extension.
    case certificateUnhandledCriticalExtension = "certificate.unhandled-critical-extension"
    /// The validity period of a certificate has not started.
    case certificateNotYetValid = "certificate.not-yet-valid"
    /// The validity period of a certificate has ended.
    case certificateExpired = "certificate.expired"
    /// No path leads to a trust anchor.
    case certificateUnknownAuthority = "certificate.unknown-authority"
    /// A certificate that is not an authority issued another certificate.
    case certificateNotAnAuthority = "certificate.not-an-authority"
    /// The key usage of a certificate does not allow this use of its key.
    case certificateKeyUsage = "certificate.key-usage"
    /// The signature of a certificate does not match its issuer's key.
    case certificateInvalidSignature = "certificate.invalid-signature"
    /// A certificate is signed with a weak hash.
    case certificateWeakSignature = "certificate.weak-signature"
    /// This build does not support the signature algorithm of a certificate.
    case certificateUnsupportedAlgorithm = "certificate.unsupported-algorithm"
    /// The path has more authorities than an authority on it allows.
    case certificatePathTooLong = "certificate.path-too-long"
    /// The path search exceeded the limit of signature checks.
    case certificatePathTooComplex = "certificate.path-too-complex"
    /// The issuer of a certificate is missing and may be revoked.
    case certificateIssuerOmitted = "certificate.issuer-omitted"
    /// A revocation list revokes the certificate.
    case certificateRevoked = "certificate.revoked"
    /// No valid revocation list covers the certificate.
    case certificateRevocationUnknown = "certificate.revocation-unknown"
    /// The revocation list is malformed.
    case certificateRevocationListMalformed = "certificate.revocation-list-malformed"
    /// The revocation list has an unsupported critical extension.
    case certificateRevocationListUnsupported = "certificate.revocation-list-unsupported"
    /// The signature of the revocation list does not match its issuer's key.
    case certificateRevocationListInvalidSignature = "certificate.revocation-list-invalid-signature"
    /// The revocation list has expired.
    case certificateRevocationListExpired = "certificate.revocation-list-expired"
  }
}
