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
    case unsupportedAlgorithm = "crypto.unsupported-algorithm"
    case invalidKey = "crypto.invalid-key"
    case invalidSignature = "crypto.invalid-signature"
    case malformedKey = "crypto.malformed-key"
    case keyMismatch = "crypto.key-mismatch"
    case authenticationFailed = "crypto.authentication-failed"
    case invalidLength = "crypto.invalid-length"
    case invalidParameter = "crypto.invalid-parameter"
    case memoryLimitExceeded = "crypto.memory-limit-exceeded"
    case randomnessUnavailable = "crypto.randomness-unavailable"
    case libraryFailure = "crypto.library-failure"

    // Certificates and revocation lists
    case certificateMalformed = "certificate.malformed"
    case certificateDuplicateExtension = "certificate.duplicate-extension"
    case certificateUnhandledCriticalExtension = "certificate.unhandled-critical-extension"
    case certificateNotYetValid = "certificate.not-yet-valid"
    case certificateExpired = "certificate.expired"
    case certificateUnknownAuthority = "certificate.unknown-authority"
    case certificateNotAnAuthority = "certificate.not-an-authority"
    case certificateKeyUsage = "certificate.key-usage"
    case certificateInvalidSignature = "certificate.invalid-signature"
    case certificateWeakSignature = "certificate.weak-signature"
    case certificateUnsupportedAlgorithm = "certificate.unsupported-algorithm"
    case certificatePathTooLong = "certificate.path-too-long"
    case certificatePathTooComplex = "certificate.path-too-complex"
    case certificateRevoked = "certificate.revoked"
    case certificateRevocationUnknown = "certificate.revocation-unknown"
    case certificateRevocationListMalformed = "certificate.revocation-list-malformed"
    case certificateRevocationListUnsupported = "certificate.revocation-list-unsupported"
    case certificateRevocationListInvalidSignature = "certificate.revocation-list-invalid-signature"
    case certificateRevocationListExpired = "certificate.revocation-list-expired"
  }
}

extension CryptoError: CustomStringConvertible {
  /// The code and the detail, for a log line.
  public var description: String { detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
