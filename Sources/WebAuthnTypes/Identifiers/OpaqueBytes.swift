// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Bytes that mean nothing to whoever carries them, but are not to be taken for other such bytes. JSON has them in
/// base64url.
public protocol OpaqueBytes: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The bytes.
  var bytes: Bytes { get }

  /// Takes bytes of a length that is allowed.
  init(_ bytes: Bytes) throws(FormatError)
}

extension OpaqueBytes {
  /// Takes bytes of a length that is allowed.
  public init(_ bytes: [UInt8]) throws(FormatError) {
    try self.init(bytes[...])
  }

  /// Whether both have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.bytes.span.isEqual(to: right.bytes.span)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
  }

  /// The bytes in base64url.
  public var description: String { Base64URL.encode(bytes) }

  /// Reads a string of base64url.
  public init(from decoder: any Decoder) throws {
    self = try decoder.readText { (text) in try Self(Base64URL.decode(text)) }
  }

  /// Writes a string of base64url.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
