// SPDX-License-Identifier: Apache-2.0

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
