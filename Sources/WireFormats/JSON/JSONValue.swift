// SPDX-License-Identifier: Apache-2.0

/// One value of a text that has been read: a view, cheap to copy, that keeps the whole text alive.
///
/// What a value is asked for and is not, is an error at the value's offset: a server that expects a string and got a
/// number can say where.
///
/// ```swift
/// let response = try JSON.parse(body).require("response")
/// let signature = try response.require("signature").base64URL
/// let userHandle = try response["userHandle"]?.unlessNull?.base64URL
/// ```
public struct JSONValue: Sendable {
  /// The seven things that a value can be (RFC 8259 §3), with the two Booleans as one.
  public enum Kind: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number, with whatever digits it has.
    case number
    /// A string.
    case string
    /// Values in an order.
    case array
    /// Values with names.
    case object
  }

  let document: JSONDocument
  let node: Int

  /// What it is.
  public var kind: Kind {
    switch document.firstCharacter(node) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .number
    }
  }

  /// The index of its first character, in the array from which the text is a slice.
  public var offset: Int { encoded.startIndex }

  /// Its characters as they stand in the text, a string with its quotation marks.
  public var encoded: Bytes { document.encoded(node) }

  /// Whether it is `null`.
  public var isNull: Bool { kind == .null }

  /// The value itself, or `nil` for `null`: for members that may be missing or `null` alike.
  public var unlessNull: JSONValue? { isNull ? nil : self }

  /// `true` or `false`.
  public var bool: Bool {
    get throws(WireError) {
      try demand(.bool)
      return encoded.first == UInt8(ascii: "t")
    }
  }

  /// Demands a kind.
  func demand(_ kind: Kind) throws(WireError) {
    guard self.kind == kind else { throw WireError(.jsonWrongType, at: offset) }
  }
}

extension JSONValue {
  /// A number that is whole and fits, as `Int64`.
  public var int64: Int64 {
    get throws(WireError) { try integer() }
  }

  /// A number that is whole and fits, as `UInt64`.
  public var uint64: UInt64 {
    get throws(WireError) { try integer() }
  }

  /// A number that is whole and fits into the type that is asked for, exactly: `300000`, also spelled `3e5` or
  /// `300000.0`, but neither `0.5` nor `1e400`.
  public func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(WireError) -> Number {
    try demand(.number)
    // Nearly all numbers are plain digits.
    let plain = Number(String(decoding: encoded, as: UTF8.self))
    guard let integer = plain ?? JSONNumber(encoded).integer(Number.self) else {
      throw WireError(.jsonNumberOutOfRange, at: offset)
    }
    return integer
  }

  /// The `Double` nearest to a number; one too large for any is refused, one too small for any is 0.
  public var double: Double {
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
  /// The characters of a string, its escapes resolved.
  public var string: String {
    get throws(WireError) { String(decoding: try utf8, as: UTF8.self) }
  }

  /// The same as UTF-8: a slice of the text when there are no escapes.
  public var utf8: Bytes {
    get throws(WireError) {
      try demand(.string)
      return document.characters(node)
    }
  }

  /// The bytes for which a string stands in base64url, decoded straight from the text.
  public var base64URL: [UInt8] {
    get throws(WireError) { try decode(.url) }
  }

  /// The bytes for which a string stands in padded base64, decoded straight from the text.
  public var base64: [UInt8] {
    get throws(WireError) { try decode(.standard) }
  }

  /// The bytes that a string encodes in either base64, padded or not; see ``Base64/decodeLeniently(_:)-(Bytes)``.
  public var base64Leniently: [UInt8] {
    get throws(WireError) { try decode(.lenient) }
  }

  private func decode(_ form: Base64Form) throws(WireError) -> [UInt8] {
    let text = try utf8
    do {
      return try form.decode(text)
    } catch {
      // Where an escape was resolved (some peers write `\/`), an offset into the characters says nothing about the text.
      throw document.nodes[node].hasEscapes ? WireError(error.code, at: offset) : error
    }
  }
}
