// SPDX-License-Identifier: Apache-2.0

/// A parsed CBOR item: a slice of the input that is well formed by the rules it was parsed with.
///
/// Parsing checks all nested items, so accessors copy nothing and throw only if the type or range does not match.
package struct CBORValue: Sendable {
  /// The encoded item.
  package let encoded: Bytes

  /// Parses `bytes`, which must be exactly one item.
  ///
  /// - Throws: `cbor.trailing-bytes` if bytes follow the item, or another `cbor.…` code of malformed or rejected input.
  package init(parsing bytes: some ByteSource, rules: CBORRules) throws(WireError) {
    let bytes = bytes.slice
    var reader = CBORReader(bytes, rules: rules)
    self = try reader.readValue()
    try reader.finish()
  }

  /// Encodes an item in canonical form.
  package init(encoding tree: CBORTree) {
    self.init(scanned: CBORWriter.bytes(of: tree)[...])
  }

  init(scanned encoded: Bytes) {
    self.encoded = encoded
  }

  /// The index of the item, in the array that the input is a slice of.
  package var offset: Int { encoded.startIndex }

  /// The type and content of an item.
  package enum Kind: Sendable {
    /// An unsigned integer.
    case unsigned(UInt64)
    /// The integer −1 − n. The value may be below `Int64.min`, since n has 64 bits.
    case negative(UInt64)
    /// A byte string.
    case bytes(Bytes)
    /// A text string, valid UTF-8.
    case text(Bytes)
    /// A chunked byte string; the chunks are byte strings.
    case chunkedBytes(CBORArray)
    /// A chunked text string; the chunks are text strings.
    case chunkedText(CBORArray)
    /// An array.
    case array(CBORArray)
    /// A map with distinct keys.
    case map(CBORMap)
    /// A tagged item.
    case tagged(UInt64, CBORValue)
    /// A simple value: a Boolean, `null`, `undefined` or an unassigned number.
    case simple(CBORSimple)
    /// A floating-point number.
    case float(CBORFloat)
  }

  /// The type and content of the item.
  package var kind: Kind {
    var position = encoded.startIndex
    guard let head = try? CBORHead(in: encoded, at: &position) else { return .simple(.undefined) }
    let content = encoded[position...]
    switch head.majorType {
    case .unsigned: return .unsigned(head.argument)
    case .negative: return .negative(head.argument)
    case .bytes: return head.isIndefinite ? .chunkedBytes(CBORArray(content, head)) : .bytes(content)
    case .text: return head.isIndefinite ? .chunkedText(CBORArray(content, head)) : .text(content)
    case .array: return .array(CBORArray(content, head))
    case .map: return .map(CBORMap(content, head))
    case .tag: return .tagged(head.argument, CBORValue(scanned: content))
    case .simple: return CBORFloat(head).map { .float($0) } ?? .simple(CBORSimple(head))
    }
  }
}

extension CBORValue {
  /// The value of an unsigned integer.
  ///
  /// - Throws: `cbor.number-out-of-range` for a negative integer, `cbor.wrong-type` for other types.
  package var unsigned: UInt64 {
    get throws(WireError) {
      let head = try head()
      switch head.majorType {
      case .unsigned: return head.argument
      case .negative: throw WireError(.cborNumberOutOfRange, at: offset)
      default: throw wrongType
      }
    }
  }

  /// The value of an integer that fits `Int64`.
  ///
  /// - Throws: `cbor.number-out-of-range` if it does not fit, `cbor.wrong-type` for other types.
  package var integer: Int64 {
    get throws(WireError) {
      let head = try head()
      guard head.majorType == .unsigned || head.majorType == .negative else { throw wrongType }
      guard let number = Int64(exactly: head.argument) else { throw WireError(.cborNumberOutOfRange, at: offset) }
      return head.majorType == .unsigned ? number : -1 - number
    }
  }

  /// The content of a definite-length byte string.
  ///
  /// - Throws: `cbor.wrong-type` for other types.
  package var bytes: Bytes {
    get throws(WireError) { try content(of: .bytes) }
  }

  /// The UTF-8 bytes of a definite-length text string, not copied.
  ///
  /// - Throws: `cbor.wrong-type` for other types.
  package var utf8: Bytes {
    get throws(WireError) { try content(of: .text) }
  }

  /// The content of a definite-length text string.
  ///
  /// - Throws: `cbor.wrong-type` for other types.
  package var text: String {
    get throws(WireError) { String(decoding: try utf8, as: UTF8.self) }
  }

  /// The value of a Boolean.
  ///
  /// - Throws: `cbor.wrong-type` for other types.
  package var bool: Bool {
    get throws(WireError) {
      switch kind {
      case .simple(.true): return true
      case .simple(.false): return false
      default: throw wrongType
      }
    }
  }

  /// Whether the item is `null`.
  package var isNull: Bool {
    if case .simple(.null) = kind { true } else { false }
  }

  /// The items of an array.
  ///
  /// - Throws: `cbor.wrong-type` for other types.
  package var array: CBORArray {
    get throws(WireError) {
      guard case .array(let array) = kind else { throw wrongType }
      return array
    }
  }

  /// The pairs of a map.
  ///
  /// - Throws: `cbor.wrong-type` for other types.
  package var map: CBORMap {
    get throws(WireError) {
      var index = encoded.startIndex
      let head = try CBORHead(in: encoded, at: &index)
      guard head.majorType == .map else { throw wrongType }
      return CBORMap(encoded[index...], head)
    }
  }

  private func head() throws(WireError) -> CBORHead {
    var index = encoded.startIndex
    return try CBORHead(in: encoded, at: &index)
  }

  private func content(of type: CBORHead.MajorType) throws(WireError) -> Bytes {
    var index = encoded.startIndex
    let head = try CBORHead(in: encoded, at: &index)
    guard head.majorType == type, !head.isIndefinite else { throw wrongType }
    return encoded[index...]
  }

  private var wrongType: WireError { WireError(.cborWrongType, at: offset) }
}
