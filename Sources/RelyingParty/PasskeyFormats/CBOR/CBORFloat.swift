// SPDX-License-Identifier: Apache-2.0

/// A floating-point number with its encoded width. In CTAP2 the width is part of the value.
@usableFromInline package struct CBORFloat: Hashable, Sendable {
  /// The widths of CBOR floating-point numbers.
  package enum Width: Hashable, Sendable {
    /// 16 bits
    case half
    /// 32 bits
    case single
    /// 64 bits
    case double
  }

  /// The width of the encoding.
  package let width: Width

  /// The IEEE 754 bits in that width. A NaN keeps its payload.
  package let bitPattern: UInt64

  /// Creates a 16-bit number.
  package init(_ number: Float16) {
    width = .half
    bitPattern = UInt64(number.bitPattern)
  }

  /// Creates a 32-bit number.
  package init(_ number: Float) {
    width = .single
    bitPattern = UInt64(number.bitPattern)
  }

  /// Creates a 64-bit number.
  package init(_ number: Double) {
    width = .double
    bitPattern = number.bitPattern
  }

  package init?(_ head: CBORHead) {
    switch head.additionalInformation {
    case CBORHead.twoBytes: width = .half
    case CBORHead.fourBytes: width = .single
    case CBORHead.eightBytes: width = .double
    default: return nil
    }
    bitPattern = head.argument
  }

  /// The number as a `Double`, which represents every narrower number exactly.
  package var value: Double {
    switch width {
    case .half: Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bitPattern)))
    case .single: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bitPattern)))
    case .double: Double(bitPattern: bitPattern)
    }
  }
}

/// A simple value (RFC 8949 §3.3): `false`, `true`, `null`, `undefined`, or an unassigned number.
@usableFromInline package struct CBORSimple: Hashable, Sendable {
  /// The number.
  package let rawValue: UInt8

  /// `false`
  package static let `false` = Self(unchecked: 20)
  /// `true`
  package static let `true` = Self(unchecked: 21)
  /// `null`
  package static let null = Self(unchecked: 22)
  /// `undefined`
  package static let undefined = Self(unchecked: 23)

  /// Creates the simple value with this number; `nil` for the reserved numbers 24 to 31.
  package init?(rawValue: UInt8) {
    guard !(24..<32).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  init(_ head: CBORHead) {
    self.init(unchecked: UInt8(truncatingIfNeeded: head.argument))
  }

  private init(unchecked rawValue: UInt8) {
    self.rawValue = rawValue
  }
}
