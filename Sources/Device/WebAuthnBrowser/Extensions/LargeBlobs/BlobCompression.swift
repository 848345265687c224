// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Raw DEFLATE (RFC 1951), the format in which platforms store large blobs (CTAP 2.3 §6.10.3).
package protocol BlobCompression: Sendable {
  /// Compresses `input`. Returns nil if it is too large.
  func compress(_ input: [UInt8]) -> [UInt8]?

  /// Decompresses `input`. Returns nil if it is not a stream of exactly `byteCount` bytes, or if data follows it.
  func decompress(_ input: Bytes, byteCount: Int) -> [UInt8]?
}
