// SPDX-License-Identifier: Apache-2.0

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
