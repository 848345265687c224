// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The SHA-256 of a secret, stored in place of the secret.
///
/// The digest of a ``Token`` has the token's time of issue in place of its first bytes, so that digests are stored in
/// that order. The other 26 bytes are from the hash.
public struct TokenDigest: FixedBytes {
  /// The hash.
  public let bytes: [UInt8]

  /// The length of a SHA-256 hash.
  public static let byteCount = 32

  /// Creates a digest from a hash whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Hashes a secret. The digest begins with the first `openCount` bytes of the secret, which are not confidential.
  init(of secret: Bytes, keeping openCount: Int = 0) {
    bytes = Array(secret.prefix(openCount)) + Digest.sha256(secret).dropFirst(openCount)
  }
}
