// SPDX-License-Identifier: Apache-2.0

/// One CBOR item that has been read: a slice of the input, known to be well formed by the rules it was read with.
///
/// Reading checks everything below the item as well, so looking inside cannot fail but for a wrong type, and copies
/// nothing.
public struct CBORValue: Sendable {
  /// The item as it was written.
  public let encoded: Bytes

  /// Reads one item that is all of `bytes`.
  public init(parsing bytes: Bytes, rules: CBORRules) throws(WireError) {
    var reader = CBORReader(bytes, rules: rules)
    self = try reader.readValue()
    try reader.finish()
  }

  init(scanned encoded: Bytes) {
    self.encoded = encoded
  }

  /// Where the item begins, in the array from which the input is a slice.
  public var offset: Int { encoded.startIndex }

  /// What the item is.
  public enum Kind: Sendable {
    /// A number from zero up.
    case unsigned(UInt64)
    /// The number −1 − n: all 64 bits of n are used, so it may lie below every `Int64`.
    case negative(UInt64)
    /// A byte string.
    case bytes(Bytes)
    /// A text string, valid UTF-8.
    case text(Bytes)
    /// A byte string in chunks, each a byte string.
    case chunkedBytes(CBORArray)
    /// A text string in chunks, each a text string.
    case chunkedText(CBORArray)
    /// Items one after the other.
    case array(CBORArray)
    /// Pairs of a key and a value, the keys distinct.
    case map(CBORMap)
    /// An item with a tag number in front.
    case tagged(UInt64, CBORValue)
    /// A simple value: a truth value, null, undefined or one that only has a number.
    case simple(CBORSimple)
    /// A floating-point number.
    case float(CBORFloat)
  }

  /// What the item is, with what it holds.
  public var kind: Kind {
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
  /// The number, where it is an integer from zero up.
  public var unsigned: UInt64 {
    get throws(WireError) {
      let head = try head()
      switch head.majorType {
      case .unsigned: return head.argument
      case .negative: throw WireError(.cborNumberOutOfRange, at: offset)
      default: throw wrongType
      }
    }
  }

  /// The number, where it is an integer that fits into 64 bits with a sign.
  public var integer: Int64 {
    get throws(WireError) {
      let head = try head()
      guard head.majorType == .unsigned || head.majorType == .negative else { throw wrongType }
      guard let number = Int64(exactly: head.argument) else { throw WireError(.cborNumberOutOfRange, at: offset) }
      return head.majorType == .unsigned ? number : -1 - number
    }
  }

  /// The bytes of a byte string.
  public var bytes: Bytes {
    get throws(WireError) { try content(of: .bytes) }
  }

  /// The UTF-8 of a text string, not copied.
  public var utf8: Bytes {
    get throws(WireError) { try content(of: .text) }
  }

  /// The text of a text string.
  public var text: String {
    get throws(WireError) { String(decoding: try utf8, as: UTF8.self) }
  }

  /// The truth value.
  public var bool: Bool {
    get throws(WireError) {
      switch kind {
      case .simple(.true): return true
      case .simple(.false): return false
      default: throw wrongType
      }
    }
  }

  /// Whether the item is null.
  public var isNull: Bool {
    if case .simple(.null) = kind { true } else { false }
  }

  /// The items of an array.
  public var array: CBORArray {
    get throws(WireError) {
      guard case .array(let array) = kind else { throw wrongType }
      return array
    }
  }

  /// The pairs of a map.
  public var map: CBORMap {
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
