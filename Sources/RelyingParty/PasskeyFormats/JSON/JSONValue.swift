// SPDX-License-Identifier: Apache-2.0

/// One value of a parsed text: a view that is cheap to copy and keeps the whole text alive.
///
/// An accessor throws `json.wrong-type` at the value's offset if the value has another type.
/// ```swift
/// let response = try JSON.parse(body).require("response")
/// let signature = try response.require("signature").base64URL
/// let userHandle = try response["userHandle"]?.unlessNull?.base64URL
/// ```
@usableFromInline package struct JSONValue: Sendable {
  /// The kinds of JSON values (RFC 8259 §3).
  package enum Kind: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number of any size and precision.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  let document: JSONDocument
  let node: Int

  /// The kind of the value.
  package var kind: Kind {
    switch document.firstCharacter(node) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .number
    }
  }

  /// The index of the first character, in the array that the text is a slice of.
  package var offset: Int { encoded.startIndex }

  /// The text of the value. A string includes its quotation marks.
  package var encoded: Bytes { document.encoded(node) }

  /// Whether it is `null`.
  package var isNull: Bool { kind == .null }

  /// The value, or `nil` if it is `null`. For members that may be missing or `null`.
  package var unlessNull: JSONValue? { isNull ? nil : self }

  /// `true` or `false`.
  ///
  /// - Throws: `json.wrong-type` for another value.
  @usableFromInline package var bool: Bool {
    get throws(WireError) {
      try demand(.bool)
      return encoded.first == UInt8(ascii: "t")
    }
  }

  /// Checks the kind of the value.
  ///
  /// - Throws: `json.wrong-type` if it has another kind.
  func demand(_ kind: Kind) throws(WireError) {
    guard self.kind == kind else { throw WireError(.jsonWrongType, at: offset) }
  }
}

extension JSONValue {
  /// The value of an integer that fits `Int64`.
  ///
  /// - Throws: `json.number-out-of-range` otherwise.
  @usableFromInline package var int64: Int64 {
    get throws(WireError) { try integer() }
  }

  /// The value of an integer that fits `UInt64`.
  ///
  /// - Throws: `json.number-out-of-range` otherwise.
  package var uint64: UInt64 {
    get throws(WireError) { try integer() }
  }

  /// Returns the value of an integer that fits the type: `300000`, also as `3e5` or `300000.0`, but not `0.5` or
  /// `1e400`.
  ///
  /// - Throws: `json.number-out-of-range` otherwise.
  package func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(WireError) -> Number {
    try demand(.number)
    // Fast path: nearly all numbers are plain digits.
    let plain = Number(String(decoding: encoded, as: UTF8.self))
    guard let integer = plain ?? JSONNumber(encoded).integer(Number.self) else {
      throw WireError(.jsonNumberOutOfRange, at: offset)
    }
    return integer
  }

  /// The nearest `Double`; 0 on underflow.
  ///
  /// - Throws: `json.number-out-of-range` on overflow.
  package var double: Double {
    get throws(WireError) {
      try demand(.number)
      guard let double = Double(String(decoding: encoded, as: UTF8.self)), double.isFinite else {
        throw WireError(.jsonNumberOutOfRange, at: offset)
      }
      return double
    }
  }
}

extension JSONValue {
  /// The characters of a string, with escapes resolved.
  ///
  /// - Throws: `json.wrong-type` for another value.
  package var string: String {
    get throws(WireError) { String(decoding: try utf8, as: UTF8.self) }
  }

  /// The UTF-8 bytes of a string, with escapes resolved: a slice of the text if there are no escapes.
  ///
  /// - Throws: `json.wrong-type` for another value.
  @usableFromInline package var utf8: Bytes {
    get throws(WireError) {
      try demand(.string)
      return document.characters(node)
    }
  }

  /// The bytes of a base64url string, decoded directly from the text.
  ///
  /// - Throws: A `base64.…` code if it is malformed.
  package var base64URL: [UInt8] {
    get throws(WireError) { try decode(.url) }
  }

  /// The bytes of a padded base64 string, decoded directly from the text.
  ///
  /// - Throws: A `base64.…` code if it is malformed.
  package var base64: [UInt8] {
    get throws(WireError) { try decode(.standard) }
  }

  /// The bytes of a base64 or base64url string, padded or not; see ``Base64/decodeLeniently(_:)-(Bytes)``.
  ///
  /// - Throws: A `base64.…` code if it is malformed.
  package var base64Leniently: [UInt8] {
    get throws(WireError) { try decode(.lenient) }
  }

  private func decode(_ form: Base64Form) throws(WireError) -> [UInt8] {
    let text = try utf8
    do {
      return try form.decode(text)
    } catch {
      // Offsets into resolved escapes (some peers write `\/`) do not match the text, so report the start of the value.
      throw document.nodes[node].hasEscapes ? WireError(error.code, at: offset) : error
    }
  }
}
