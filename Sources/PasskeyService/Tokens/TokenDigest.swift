// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The SHA-256 of a secret that only its owner has: all that is ever stored of one.
public struct TokenDigest: FixedBytes {
  /// The hash.
  public let bytes: [UInt8]

  /// A SHA-256.
  public static let byteCount = 32

  /// Takes a hash whose length was checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Hashes a secret.
  init(of secret: Bytes) {
    bytes = Digest.sha256(secret)
  }
}
