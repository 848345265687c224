// SPDX-License-Identifier: Apache-2.0

/// A value that can be written: always valid JSON, because only its own makers make one.
///
/// Literals are fragments too: `writer.write("type", "public-key")`.
public struct JSONFragment: Sendable {
  enum Content {
    case text(String)
    case string(String)
    case bytes(Bytes, Base64Form)
    case value(JSONValue)
    case verbatim(JSONValue)
  }

  let content: Content

  /// `null`.
  public static let null = JSONFragment(content: .text("null"))

  /// `true` or `false`.
  public static func bool(_ value: Bool) -> JSONFragment {
    JSONFragment(content: .text(value ? "true" : "false"))
  }

  /// A string. Escapes what RFC 8259 §7 demands, and C1 and bidirectional controls besides, so that no output can steer a
  /// terminal or reorder a log line.
  public static func string(_ value: String) -> JSONFragment {
    JSONFragment(content: .string(value))
  }

  /// A string of bytes in base64url.
  public static func base64URL(_ bytes: Bytes) -> JSONFragment {
    JSONFragment(content: .bytes(bytes, .url))
  }

  /// A string of bytes in base64url.
  public static func base64URL(_ bytes: [UInt8]) -> JSONFragment {
    .base64URL(bytes[...])
  }

  /// A string of bytes in padded base64.
  public static func base64(_ bytes: Bytes) -> JSONFragment {
    JSONFragment(content: .bytes(bytes, .standard))
  }

  /// A string of bytes in padded base64.
  public static func base64(_ bytes: [UInt8]) -> JSONFragment {
    .base64(bytes[...])
  }

  /// A whole number.
  public static func integer(_ value: some FixedWidthInteger) -> JSONFragment {
    JSONFragment(content: .text(String(value)))
  }

  /// The shortest digits that are read back as the same number.
  ///
  /// JSON has no infinity and nothing that is not a number: they are refused (the offset is 0, as there is no text yet).
  public static func number(_ value: Double) throws(WireError) -> JSONFragment {
    guard value.isFinite else { throw WireError(.jsonNumberOutOfRange, at: 0) }
    let digits = value.description
    return JSONFragment(content: .text(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits))
  }

  /// A value that was read, in the style of what it is written into: members stay in their order, numbers keep their
  /// digits, and strings are escaped anew.
  public static func value(_ value: JSONValue) -> JSONFragment {
    JSONFragment(content: .value(value))
  }

  /// A value that was read, byte for byte as it stood.
  public static func verbatim(_ value: JSONValue) -> JSONFragment {
    JSONFragment(content: .verbatim(value))
  }
}

extension JSONFragment: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// A string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// A whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}
