// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The serialized large-blob array (CTAP 2.3 §6.10): a CBOR array that is opaque to the device, and a checksum.
enum LargeBlobArray {
  /// The initial array, without entries.
  static let empty = sealed([0x80])

  /// Returns an array with its checksum appended.
  static func sealed(_ array: Bytes) -> [UInt8] {
    [UInt8](array) + Digest.sha256(array).prefix(checksumByteCount)
  }

  /// Returns `bytes` if the checksum is correct, or else throws `INTEGRITY_FAILURE`.
  static func checked(_ bytes: [UInt8]) throws(CTAPError) -> [UInt8] {
    guard sealed(bytes.dropLast(checksumByteCount)) == bytes else { throw CTAPError(.integrityFailure) }
    return bytes
  }

  private static let checksumByteCount = 16
}
