// SPDX-License-Identifier: Apache-2.0

/// The head of an item (RFC 8949 §3): its major type and its argument.
package struct CBORHead {
  package enum MajorType: UInt8 {
    case unsigned = 0
    case negative = 1
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7
  }

  package let majorType: MajorType

  /// The low five bits of the first byte: the argument, or the number of bytes that hold it.
  package let additionalInformation: UInt8

  /// The number, length, count, tag number or floating-point bits. Zero for an indefinite length.
  package let argument: UInt64

  /// Reads the head at `position` and advances `position` past it. Error offsets are positions in the span.
  init(in bytes: Span<UInt8>, at position: inout Int) throws(WireError) {
    guard position < bytes.count else { throw WireError(.cborTruncated, at: bytes.count) }
    let initial = bytes[position]
    guard let majorType = MajorType(rawValue: initial >> 5) else {
      throw WireError(.cborReservedHead, at: position)  // Unreachable: three bits have eight values.
    }
    self.majorType = majorType
    additionalInformation = initial & 0x1f
    if additionalInformation < Self.oneByte {
      argument = UInt64(additionalInformation)
      position += 1
    } else if additionalInformation <= Self.eightBytes {
      let end = position + 1 + 1 << Int(additionalInformation - Self.oneByte)
      guard end <= bytes.count else { throw WireError(.cborTruncated, at: bytes.count) }
      var argument: UInt64 = 0
      for index in (position + 1)..<end {
        argument = argument << 8 | UInt64(bytes[index])
      }
      self.argument = argument
      position = end
    } else if additionalInformation == Self.indefinite, majorType.allowsIndefiniteLength {
      argument = 0
      position += 1
    } else {
      throw WireError(.cborReservedHead, at: position)
    }
  }

  /// Reads the head at an index of a slice and advances the index past it.
  package init(in bytes: Bytes, at index: inout Int) throws(WireError) {
    var position = index - bytes.startIndex
    do throws(WireError) {
      self = try Self(in: bytes.span, at: &position)
    } catch {
      throw WireError(error.code, at: bytes.startIndex + error.offset)
    }
    index = bytes.startIndex + position
  }

  /// Whether the length is indefinite or, for a simple value, whether this is a break.
  package var isIndefinite: Bool { additionalInformation == Self.indefinite }

  /// Whether the argument holds the bits of a floating-point number.
  var isFloat: Bool {
    majorType == .simple && (Self.twoBytes...Self.eightBytes).contains(additionalInformation)
  }

  /// Whether the head is in its shortest form. Not meaningful for floating-point numbers.
  package var isShortest: Bool {
    switch additionalInformation {
    case Self.oneByte: argument >= 24
    case Self.twoBytes: argument > UInt8.max
    case Self.fourBytes: argument > UInt16.max
    case Self.eightBytes: argument > UInt32.max
    default: true
    }
  }

  static let oneByte: UInt8 = 24
  static let twoBytes: UInt8 = 25
  static let fourBytes: UInt8 = 26
  static let eightBytes: UInt8 = 27
  static let indefinite: UInt8 = 31
  package static let breakByte: UInt8 = 0xff
}

extension CBORHead.MajorType {
  /// RFC 8949 §3.2.1: strings, arrays and maps may be indefinite. For simple values, 31 is the break.
  fileprivate var allowsIndefiniteLength: Bool {
    switch self {
    case .bytes, .text, .array, .map, .simple: true
    case .unsigned, .negative, .tag: false
    }
  }
}
