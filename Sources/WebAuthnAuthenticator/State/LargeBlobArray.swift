// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The serialized large-blob array (CTAP 2.3 §6.10): a CBOR array that the device does not look into, and a checksum.
enum LargeBlobArray {
  /// What there is before anything was written: no entries.
  static let empty = sealed([0x80])

  /// An array with the checksum behind it.
  static func sealed(_ array: Bytes) -> [UInt8] {
    [UInt8](array) + Digest.sha256(array).prefix(checksumByteCount)
  }

  /// Bytes whose checksum is right.
  static func checked(_ bytes: [UInt8]) throws(CTAPError) -> [UInt8] {
    guard sealed(bytes.dropLast(checksumByteCount)) == bytes else { throw CTAPError(.integrityFailure) }
    return bytes
  }

  private static let checksumByteCount = 16
}
