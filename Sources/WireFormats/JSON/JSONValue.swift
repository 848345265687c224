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
