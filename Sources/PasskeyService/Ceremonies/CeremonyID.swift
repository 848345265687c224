// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The key of a pending ceremony: the SHA-256 of its challenge, so that the stored key does not reveal the challenge.
public struct CeremonyID: FixedBytes {
  /// The hash.
  public let bytes: [UInt8]

  /// The length of a SHA-256 hash.
  public static let byteCount = 32

  /// Creates an ID from a hash whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(of challenge: Bytes) {
    bytes = Digest.sha256(challenge)
  }
}
