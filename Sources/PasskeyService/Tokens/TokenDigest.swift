// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The SHA-256 of a secret that only its owner has: all that is ever stored of one.
///
/// That of a ``Token`` has the moment at which the token was made in place of its first bytes, so that digests are stored
/// in that order; 26 bytes of the hash are left.
public struct TokenDigest: FixedBytes {
  /// The hash.
  public let bytes: [UInt8]

  /// A SHA-256.
  public static let byteCount = 32

  /// Takes a hash whose length was checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Hashes a secret, of which so many bytes at its beginning are none.
  init(of secret: Bytes, keeping openCount: Int = 0) {
    bytes = Array(secret.prefix(openCount)) + Digest.sha256(secret).dropFirst(openCount)
  }
}
