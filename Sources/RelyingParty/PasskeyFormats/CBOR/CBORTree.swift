// SPDX-License-Identifier: Apache-2.0

/// A CBOR item to write. Supports literals:
///
/// ```swift
/// let object: CBORTree = ["fmt": "none", "attStmt": [:], "authData": .bytes(authenticatorData)]
/// ```
@usableFromInline package indirect enum CBORTree: Hashable, Sendable {
  /// An unsigned integer.
  case unsigned(UInt64)
  /// The integer −1 − n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string.
  case text(String)
  /// An array.
  case array([CBORTree])
  /// A map. The writer sorts the pairs into canonical order.
  case map([CBORKey: CBORTree])
  /// A tagged item.
  case tagged(UInt64, CBORTree)
  /// A simple value.
  case simple(CBORSimple)
  /// A floating-point number.
  case float(CBORFloat)

  /// Returns an integer.
  package static func integer(_ number: Int64) -> Self {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  /// Returns `true` or `false`.
  package static func bool(_ value: Bool) -> Self {
    .simple(value ? .true : .false)
  }

  /// The simple value `null`.
  package static let null = Self.simple(.null)

  /// Copies a parsed value. Chunked strings are joined, and the widths of heads are lost.
  package init(_ value: CBORValue) {
    switch value.kind {
    case .unsigned(let number): self = .unsigned(number)
    case .negative(let number): self = .negative(number)
    case .bytes(let bytes): self = .bytes([UInt8](bytes))
    case .text(let utf8): self = .text(String(decoding: utf8, as: UTF8.self))
    case .chunkedBytes(let chunks): self = .bytes(chunks.flatMap { (try? $0.bytes) ?? [] })
    case .chunkedText(let chunks): self = .text(chunks.map { (try? $0.text) ?? "" }.joined())
    case .array(let array): self = .array(array.map { CBORTree($0) })
    case .map(let map): self.init(map)
    case .tagged(let number, let value): self = .tagged(number, CBORTree(value))
    case .simple(let number): self = .simple(number)
    case .float(let number): self = .float(number)
    }
  }

  /// Copies a parsed map.
  package init(_ map: CBORMap) {
    let pairs = map.compactMap { pair in CBORKey(pair.key).map { ($0, CBORTree(pair.value)) } }
    self = .map(Dictionary(pairs) { first, _ in first })
  }
}

extension CBORTree: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates an integer.
  @usableFromInline package init(integerLiteral number: Int64) {
    self = .integer(number)
  }

  /// Creates a text string.
  @usableFromInline package init(stringLiteral text: String) {
    self = .text(text)
  }

  /// Creates `true` or `false`.
  @usableFromInline package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Creates an array.
  @usableFromInline package init(arrayLiteral items: CBORTree...) {
    self = .array(items)
  }

  /// Creates a map. The last value of a duplicate key wins.
  @usableFromInline package init(dictionaryLiteral pairs: (CBORKey, CBORTree)...) {
    self = .map(Dictionary(pairs) { _, later in later })
  }
}
