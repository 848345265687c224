// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// By what a pending ceremony is found: the SHA-256 of its challenge, so that what the store has answers nothing.
public struct CeremonyID: FixedBytes {
  /// The hash.
  public let bytes: [UInt8]

  /// A SHA-256.
  public static let byteCount = 32

  /// Takes a hash whose length was checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(of challenge: Bytes) {
    bytes = Digest.sha256(challenge)
  }
}
