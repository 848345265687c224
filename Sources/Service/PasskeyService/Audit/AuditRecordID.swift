// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import WebAuthnTypes

/// The ID of a record in an audit log: 6 bytes from its time and 10 random bytes.
///
/// It makes the records of equal events different. No reader of the log's hashes can guess a record from its hash.
package struct AuditRecordID: FixedBytes {
  /// The bytes.
  package let bytes: [UInt8]

  /// The length, the same as a UUID's.
  package static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a random ID for a record of this time.
  package init(at time: UnixTime) {
    let prefix = TimeOrderedBytes.timePrefix(time)
    var generator = SystemRandomNumberGenerator()
    // Two words, because each draw is a system call.
    let words = [generator.next(), generator.next()]
    bytes =
      prefix
      + (0..<Self.byteCount - prefix.count).map { (index) in
        UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(8 * (index % 8)))
      }
  }

  /// Parses the text of ``description``. Returns nil if it is invalid.
  package init?(_ text: String) {
    guard let bytes = try? Hex.decode(text) else { return nil }
    self.init(bytes)
  }

  /// The bytes in hexadecimal.
  package var description: String { Hex.encode(bytes) }
}
