// SPDX-License-Identifier: Apache-2.0

/// How much a device takes, holds and gives: what authenticatorGetInfo says of it is taken from here.
///
/// Limits:
///   messages          7,609 bytes  [what CTAPHID can carry: 57 bytes in the first packet and 59 in each of 128 more]
///   fragments         64 bytes less than a message  [§6.10.2]
///   large-blob array  16 KiB  [1,024 bytes at least, §6.10; it is written whole each time]
///   lists             32 credentials, ids of 128 bytes  [together less than a message; an id that holds its credential has
///                     at most as many]
///   credentials       10,000 in the vault  [a file of them is still read in a few milliseconds]
///   names             64 bytes  [what WebAuthn §6.4.1 asks for; replies about credentials fit into a message]
///   credential blob   32 bytes  [§12.2 asks for as many]
///   reset             within 10 s of power-up  [§6.6]
///   assertions in a row  30 s apart  [§6.3]
///   fingers           5, each after 4 samples, with a name of at most 64 bytes
///   PINs              4 code points, or more where that is set, to 63 bytes  [§6.5.1]
///   attempts at built-in user verification  3 a command  [1 to 5, §6.5.2.3]
///   RP IDs that may learn the minimum length of PINs  8
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
  /// How often a platform should ask for a finger itself before it asks for the PIN (`preferredPlatformUvAttempts`).
  static let preferredPlatformVerificationAttempts = 3
  static let maximumMinimumPINLengthReaders = 8
}
