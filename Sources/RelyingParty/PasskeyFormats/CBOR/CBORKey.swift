// SPDX-License-Identifier: Apache-2.0

/// A map key: an integer, a string or a simple value. Can be a literal: `map["fmt"]`, `map[-1]`.
@usableFromInline package enum CBORKey: Hashable, Sendable {
  /// An unsigned integer.
  case unsigned(UInt64)
  /// The integer −1 − n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string.
  case text(String)
  /// A simple value.
  case simple(CBORSimple)

  /// Returns the key for an integer.
  package static func integer(_ number: Int64) -> Self {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  /// Creates a key from a parsed value; `nil` if the value's type cannot be a key.
  package init?(_ value: CBORValue) {
    switch value.kind {
    case .unsigned(let number): self = .unsigned(number)
    case .negative(let number): self = .negative(number)
    case .bytes(let bytes): self = .bytes([UInt8](bytes))
    case .text(let utf8): self = .text(String(decoding: utf8, as: UTF8.self))
    case .simple(let number): self = .simple(number)
    case .chunkedBytes, .chunkedText, .array, .map, .tagged, .float: return nil
    }
  }

  /// Whether an item with this head and content equals the key.
  func matches(_ head: CBORHead, _ content: Span<UInt8>) -> Bool {
    switch (self, head.majorType) {
    case (.unsigned(let own), .unsigned), (.negative(let own), .negative): own == head.argument
    case (.bytes(let own), .bytes): !head.isIndefinite && own.span.isEqual(to: content)
    case (.text(let own), .text): !head.isIndefinite && own.utf8Span.span.isEqual(to: content)
    case (.simple(let own), .simple): !head.isFloat && !head.isIndefinite && UInt64(own.rawValue) == head.argument
    default: false
    }
  }

  // Text keys compare by their UTF-8 bytes, because Swift's `String` equality also matches canonically equivalent
  // texts.

  /// Whether two keys have the same encoding.
  @usableFromInline package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.unsigned(let own), .unsigned(let other)), (.negative(let own), .negative(let other)): own == other
    case (.bytes(let own), .bytes(let other)): own == other
    case (.text(let own), .text(let other)): own.utf8.elementsEqual(other.utf8)
    case (.simple(let own), .simple(let other)): own == other
    default: false
    }
  }

  /// Hashes the same bytes that `==` compares.
  @usableFromInline package func hash(into hasher: inout Hasher) {
    switch self {
    case .unsigned(let number), .negative(let number): hasher.combine(number)
    case .bytes(let bytes): hasher.combine(bytes)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .simple(let number): hasher.combine(number)
    }
  }
}

extension CBORKey: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates an integer key.
  @usableFromInline package init(integerLiteral number: Int64) {
    self = .integer(number)
  }

  /// Creates a text key.
  @usableFromInline package init(stringLiteral text: String) {
    self = .text(text)
  }
}
