// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Why the system's cryptography says no. The one error of this floor; it never carries a key or a secret.
public struct CryptoError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// What was at fault, in words for a log; never bytes of a key.
  public let detail: String?

  /// The fault in the encoding itself, with its offset, where that is what is wrong.
  public let wireError: WireError?

  /// Makes an error.
  public init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    wireError = nil
  }

  /// Wraps an error of the floor below.
  public init(_ code: Code, _ wireError: WireError) {
    self.code = code
    self.detail = "\(wireError)"
    self.wireError = wireError
  }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The system's libcrypto does not have the algorithm.
    case unsupportedAlgorithm = "crypto.unsupported-algorithm"
    /// The key has the right form, and is none: a point off its curve, say.
    case invalidKey = "crypto.invalid-key"
    /// The signature is not the key's over these bytes.
    case invalidSignature = "crypto.invalid-signature"
    /// The key's encoding cannot be read.
    case malformedKey = "crypto.malformed-key"
    /// The key is for another algorithm.
    case keyMismatch = "crypto.key-mismatch"
    /// A sealed box or an authentication code is not this key's, or was changed.
    case authenticationFailed = "crypto.authentication-failed"
    /// A key, a nonce, a tag or an output has a length that the algorithm does not have.
    case invalidLength = "crypto.invalid-length"
    /// A parameter of the algorithm is one that it does not have.
    case invalidParameter = "crypto.invalid-parameter"
    /// The work would take more memory than is allowed.
    case memoryLimitExceeded = "crypto.memory-limit-exceeded"
    /// The system gives no random bytes.
    case randomnessUnavailable = "crypto.randomness-unavailable"
    /// libcrypto failed where nothing that it was given explains it.
    case libraryFailure = "crypto.library-failure"

    // Certificates and revocation lists
    /// The certificate cannot be read.
    case certificateMalformed = "certificate.malformed"
    /// The certificate has an extension twice.
    case certificateDuplicateExtension = "certificate.duplicate-extension"
    /// The certificate has a critical extension that is not understood.
    case certificateUnhandledCriticalExtension = "certificate.unhandled-critical-extension"
    /// A certificate's time has not come.
    case certificateNotYetValid = "certificate.not-yet-valid"
    /// A certificate's time is over.
    case certificateExpired = "certificate.expired"
    /// No path leads to an authority that is believed.
    case certificateUnknownAuthority = "certificate.unknown-authority"
    /// A certificate signs another and is no authority's.
    case certificateNotAnAuthority = "certificate.not-an-authority"
    /// A certificate's key may not be used for what it did.
    case certificateKeyUsage = "certificate.key-usage"
    /// A certificate's signature is not its issuer's.
    case certificateInvalidSignature = "certificate.invalid-signature"
    /// A certificate is signed over a hash that is not believed.
    case certificateWeakSignature = "certificate.weak-signature"
    /// This build does not verify the algorithm of a certificate's signature.
    case certificateUnsupportedAlgorithm = "certificate.unsupported-algorithm"
    /// There are more authorities on the path than one of them allows.
    case certificatePathTooLong = "certificate.path-too-long"
    /// The search for a path took more signatures than are tried.
    case certificatePathTooComplex = "certificate.path-too-complex"
    /// A certificate's issuer is missing, and may be one that a revocation list names.
    case certificateIssuerOmitted = "certificate.issuer-omitted"
    /// A revocation list names the certificate.
    case certificateRevoked = "certificate.revoked"
    /// No revocation list that can be relied on covers the certificate.
    case certificateRevocationUnknown = "certificate.revocation-unknown"
    /// The revocation list cannot be read.
    case certificateRevocationListMalformed = "certificate.revocation-list-malformed"
    /// The revocation list has a critical extension that is not understood.
    case certificateRevocationListUnsupported = "certificate.revocation-list-unsupported"
    /// The revocation list's signature is not its issuer's.
    case certificateRevocationListInvalidSignature = "certificate.revocation-list-invalid-signature"
    /// The revocation list's next edition is overdue.
    case certificateRevocationListExpired = "certificate.revocation-list-expired"
  }
}

extension CryptoError: CustomStringConvertible {
  /// The code and the detail, for a log line.
  public var description: String { detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
