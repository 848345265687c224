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
