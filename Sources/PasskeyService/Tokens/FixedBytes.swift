// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// An opaque, fixed-length byte string with its own type, so that different kinds cannot be confused.
///
/// Its text form is base64url, in paths, responses and logs: none of these values is a secret.
public protocol FixedBytes: Hashable, Sendable, CustomStringConvertible {
  /// The length in bytes.
  static var byteCount: Int { get }

  /// The bytes.
  var bytes: [UInt8] { get }

  /// Creates a value from bytes whose length is already checked.
  init(unchecked bytes: [UInt8])
}

extension FixedBytes {
  /// Creates a value from bytes. Returns nil if their number is wrong.
  public init?(_ bytes: Bytes) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: [UInt8](bytes))
  }

  /// Parses the text of ``description``. Returns nil if it is invalid.
  public init?(_ text: String) {
    guard let bytes = try? Base64URL.decode(text) else { return nil }
    self.init(bytes[...])
  }

  /// The bytes in base64url.
  public var description: String { Base64URL.encode(bytes) }
}
