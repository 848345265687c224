// SPDX-License-Identifier: Apache-2.0

extension CBORValue {
  /// The number, where it is an integer from zero up.
  public var unsigned: UInt64 {
    get throws(WireError) {
      switch kind {
      case .unsigned(let number): return number
      case .negative: throw WireError(.cborNumberOutOfRange, at: offset)
      default: throw wrongType
      }
    }
  }

  /// The number, where it is an integer that fits into 64 bits with a sign.
  public var integer: Int64 {
    get throws(WireError) {
      switch kind {
      case .unsigned(let number):
        guard let integer = Int64(exactly: number) else { throw WireError(.cborNumberOutOfRange, at: offset) }
        return integer
      case .negative(let number):
        guard let integer = Int64(exactly: number) else { throw WireError(.cborNumberOutOfRange, at: offset) }
        return -1 - integer
      default: throw wrongType
      }
    }
  }

  /// The bytes of a byte string.
  public var bytes: Bytes {
    get throws(WireError) {
      guard case .bytes(let bytes) = kind else { throw wrongType }
      return bytes
    }
  }

  /// The UTF-8 of a text string, not copied.
  public var utf8: Bytes {
    get throws(WireError) {
      guard case .text(let utf8) = kind else { throw wrongType }
      return utf8
    }
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
      guard case .map(let map) = kind else { throw wrongType }
      return map
    }
  }

  private var wrongType: WireError { WireError(.cborWrongType, at: offset) }
}
