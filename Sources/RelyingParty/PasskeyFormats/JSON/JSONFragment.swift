// SPDX-License-Identifier: Apache-2.0

/// A JSON value to write. It is always valid JSON, because it can be created only by the functions below.
///
/// Literals are fragments too: `writer.write("type", "public-key")`.
package struct JSONFragment: Sendable {
  enum Content {
    case text(String)
    case string(String)
    case bytes(Bytes, Base64Form)
    case value(JSONValue)
    case verbatim(JSONValue)
    case written([UInt8])
  }

  let content: Content

  /// `null`.
  package static let null = JSONFragment(content: .text("null"))

  /// Returns `true` or `false`.
  package static func bool(_ value: Bool) -> JSONFragment {
    JSONFragment(content: .text(value ? "true" : "false"))
  }

  /// Returns a string. In addition to the escapes of RFC 8259 §7, it escapes C1 and bidirectional controls, so that the
  /// output cannot control a terminal or reorder a log line.
  package static func string(_ value: String) -> JSONFragment {
    JSONFragment(content: .string(value))
  }

  /// Returns a string with bytes in base64url.
  package static func base64URL(_ bytes: some ByteSource) -> JSONFragment {
    let bytes = bytes.slice
    return JSONFragment(content: .bytes(bytes, .url))
  }

  /// Returns a string with bytes in padded base64.
  package static func base64(_ bytes: some ByteSource) -> JSONFragment {
    let bytes = bytes.slice
    return JSONFragment(content: .bytes(bytes, .standard))
  }

  /// Returns an integer.
  package static func integer(_ value: some FixedWidthInteger) -> JSONFragment {
    JSONFragment(content: .text(String(value)))
  }

  /// Returns a number in the shortest digits that parse to the same `Double`.
  ///
  /// - Throws: `json.number-out-of-range`, at offset 0, for infinities and NaN, which JSON lacks.
  package static func number(_ value: Double) throws(WireError) -> JSONFragment {
    guard value.isFinite else { throw WireError(.jsonNumberOutOfRange, at: 0) }
    let digits = value.description
    return JSONFragment(content: .text(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits))
  }

  /// Returns a parsed value in the layout of the surrounding text. Members keep their order and numbers their digits;
  /// strings are escaped again.
  package static func value(_ value: JSONValue) -> JSONFragment {
    JSONFragment(content: .value(value))
  }

  /// Returns a parsed value with its original text.
  package static func verbatim(_ value: JSONValue) -> JSONFragment {
    JSONFragment(content: .verbatim(value))
  }

  /// Returns the text of a value that a writer has made.
  package static func written(_ text: [UInt8]) -> JSONFragment {
    JSONFragment(content: .written(text))
  }
}

extension JSONFragment: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// Creates a string.
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Creates an integer.
  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// Creates `true` or `false`.
  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}
