// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
public import WireFormats

/// The ID of a record in an audit log: 6 bytes from its time and 10 random bytes.
///
/// It makes the records of equal events different. No reader of the log's hashes can guess a record from its hash.
public struct AuditRecordID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length, the same as a UUID's.
  public static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a random ID for a record of this time.
  public init(at time: Timestamp) {
    var generator = SystemRandomNumberGenerator()
    let prefix = TimeOrderedBytes.timePrefix(time)
    bytes = prefix + (prefix.count..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Parses the text of ``description``. Returns nil if it is invalid.
  public init?(_ text: String) {
    guard let bytes = try? Hex.decode(text) else { return nil }
    self.init(bytes)
  }

  /// The bytes in hexadecimal.
  public var description: String { Hex.encode(bytes) }
}
