// SPDX-License-Identifier: Apache-2.0

/// The limits of the device, as authenticatorGetInfo reports them.
///
/// Limits:
///   messages          7,609 bytes  [the CTAPHID maximum: 57 bytes in the first packet and 59 in each of 128 more]
///   fragments         64 bytes less than a message  [§6.10.2]
///   large-blob array  16 KiB  [§6.10 requires at least 1,024 bytes; each write rewrites the whole array]
///   lists             32 credentials, ids of 128 bytes  [a full list fits into a message; an id with a
///                     sealed credential has at most 128 bytes]
///   credentials       10,000 in the vault  [a file of that many still loads in 20 milliseconds]
///   names             64 bytes  [the minimum of WebAuthn §6.4.1; responses with credentials fit into a message]
///   credential blob   32 bytes  [the minimum of §12.2]
///   reset             within 10 s of power-up  [§6.6]
///   assertions in a row  at most 30 s apart  [§6.3]
///   fingers           5, with 4 samples each, and names of at most 64 bytes
///   PINs              4 code points, or the configured minimum, to 63 bytes  [§6.5.1]
///   attempts at built-in user verification  3 per command  [1 to 5, §6.5.2.3]
///   RP IDs that may read the minimum PIN length  8
enum DeviceLimits {
  static let maximumMessageByteCount = 7609
  static let maximumFragmentByteCount = maximumMessageByteCount - 64
  static let maximumLargeBlobArrayByteCount = 16_384
  static let maximumCredentialCountInList = 32
  static let maximumCredentialIDByteCount = 128
  static let credentialIDByteCount = 32
  static let maximumCredentials = 10_000
  static let storedNameByteCount = 64
  static let maximumCredentialBlobByteCount = 32
  static let resetTimeLimit = Duration.seconds(10)
  static let nextAssertionTimeLimit = Duration.seconds(30)
  static let maximumFingers = 5
  static let samplesPerFinger = 4
  static let maximumFingerNameByteCount = 64
  static let maximumPINByteCount = 63
  static let internalVerificationAttempts = 3
  /// The number of fingerprint attempts that a platform should make before it asks for the PIN
  /// (`preferredPlatformUvAttempts`).
  static let preferredPlatformVerificationAttempts = 3
  static let maximumMinimumPINLengthReaders = 8
}
