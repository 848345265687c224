// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Bytes of one length that mean nothing to whoever carries them, and are not to be taken for other such bytes.
///
/// They are written in base64url, in paths and answers as well as in logs: none of them is a secret.
public protocol FixedBytes: Hashable, Sendable, CustomStringConvertible {
  /// How many bytes each has.
  static var byteCount: Int { get }

  /// The bytes.
  var bytes: [UInt8] { get }

  /// Takes bytes whose number was checked.
  init(unchecked bytes: [UInt8])
}

extension FixedBytes {
  /// Takes bytes; any other number is nil.
  public init?(_ bytes: Bytes) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: [UInt8](bytes))
  }

  /// Reads what ``description`` wrote; anything else is nil.
  public init?(_ text: String) {
    guard let bytes = try? Base64URL.decode(text) else { return nil }
    self.init(bytes[...])
  }

  /// The bytes in base64url.
  public var description: String { Base64URL.encode(bytes) }
}
