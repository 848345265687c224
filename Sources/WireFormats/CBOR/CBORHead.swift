// SPDX-License-Identifier: Apache-2.0

/// The first bytes of an item (RFC 8949 §3): its major type and its argument.
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

  /// The low five bits: the argument itself, or where it stands.
  package let additionalInformation: UInt8

  /// The number, the length, the count, the tag number or the bits. Zero for an indefinite length.
  package let argument: UInt64

  /// Reads the head at `position` and moves behind it.
  package init(in bytes: Bytes, at position: inout Int) throws(WireError) {
    guard position < bytes.endIndex else { throw WireError(.cborTruncated, at: bytes.endIndex) }
    let initial = bytes[position]
    guard let majorType = MajorType(rawValue: initial >> 5) else {
      throw WireError(.cborReservedHead, at: position)  // Three bits have eight values.
    }
    self.majorType = majorType
    additionalInformation = initial & 0x1f
    switch additionalInformation {
    case 0...23:
      argument = UInt64(additionalInformation)
      position += 1
    case Self.oneByte...Self.eightBytes:
      let end = position + 1 + 1 << Int(additionalInformation - Self.oneByte)
      guard end <= bytes.endIndex else { throw WireError(.cborTruncated, at: bytes.endIndex) }
      var argument: UInt64 = 0
      for index in (position + 1)..<end {
        argument = argument << 8 | UInt64(bytes[index])
      }
      self.argument = argument
      position = end
    case Self.indefinite where majorType.mayBeIndefinite:
      argument = 0
      position += 1
    default:
      throw WireError(.cborReservedHead, at: position)
    }
  }

  /// Whether the length is not known until a break comes, or, for a simple value, whether this is the break.
  package var isIndefinite: Bool { additionalInformation == Self.indefinite }

  /// Whether a shorter head would have said the same. Widths of floating-point numbers are another matter.
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
  /// RFC 8949 §3.2.1: strings, arrays and maps; for simple values, 31 is the break.
  fileprivate var mayBeIndefinite: Bool {
    switch self {
    case .bytes, .text, .array, .map, .simple: true
    case .unsigned, .negative, .tag: false
    }
  }
}
