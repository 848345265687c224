// SPDX-License-Identifier: Apache-2.0

/// An item to be written. Literals do most of the work:
///
/// ```swift
/// let object: CBORTree = ["fmt": "none", "attStmt": [:], "authData": .bytes(authenticatorData)]
/// ```
public indirect enum CBORTree: Hashable, Sendable {
  /// A number from zero up.
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string.
  case text(String)
  /// Items one after the other.
  case array([CBORTree])
  /// Pairs of a key and a value; they are written in canonical order.
  case map([CBORKey: CBORTree])
  /// An item with a tag number in front.
  case tagged(UInt64, CBORTree)
  /// A simple value.
  case simple(CBORSimple)
  /// A floating-point number.
  case float(CBORFloat)

  /// An integer.
  public static func integer(_ number: Int64) -> Self {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  /// A truth value.
  public static func bool(_ value: Bool) -> Self {
    .simple(value ? .true : .false)
  }

  /// Null.
  public static let null = Self.simple(.null)

  /// A copy of what was read. Strings in chunks are put together, and widths of heads are forgotten.
  public init(_ value: CBORValue) {
    switch value.kind {
    case .unsigned(let number): self = .unsigned(number)
    case .negative(let number): self = .negative(number)
    case .bytes(let bytes): self = .bytes([UInt8](bytes))
    case .text(let utf8): self = .text(String(decoding: utf8, as: UTF8.self))
    case .chunkedBytes(let chunks): self = .bytes(chunks.flatMap { (try? $0.bytes) ?? [] })
    case .chunkedText(let chunks): self = .text(chunks.map { (try? $0.text) ?? "" }.joined())
    case .array(let array): self = .array(array.map { CBORTree($0) })
    case .map(let map):
      let pairs = map.compactMap { pair in CBORKey(pair.key).map { ($0, CBORTree(pair.value)) } }
      self = .map(Dictionary(pairs) { first, _ in first })
    case .tagged(let number, let value): self = .tagged(number, CBORTree(value))
    case .simple(let number): self = .simple(number)
    case .float(let number): self = .float(number)
    }
  }
}

extension CBORTree: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// An integer.
  public init(integerLiteral number: Int64) {
    self = .integer(number)
  }

  /// A text string.
  public init(stringLiteral text: String) {
    self = .text(text)
  }

  /// A truth value.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// An array.
  public init(arrayLiteral items: CBORTree...) {
    self = .array(items)
  }

  /// A map; of two values for the same key the later one stays.
  public init(dictionaryLiteral pairs: (CBORKey, CBORTree)...) {
    self = .map(Dictionary(pairs) { _, later in later })
  }
}
