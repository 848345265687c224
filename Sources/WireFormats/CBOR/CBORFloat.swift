// SPDX-License-Identifier: Apache-2.0

/// A floating-point number with the width in which it is written, which CTAP2 takes for a part of its value.
public struct CBORFloat: Hashable, Sendable {
  /// The widths that CBOR has.
  public enum Width: Hashable, Sendable {
    /// 16 bits
    case half
    /// 32 bits
    case single
    /// 64 bits
    case double
  }

  /// In how many bits it is written.
  public let width: Width

  /// The bits, as IEEE 754 has them for the width. What a NaN carries is kept.
  public let bitPattern: UInt64

  /// A number in 16 bits.
  public init(_ number: Float16) {
    width = .half
    bitPattern = UInt64(number.bitPattern)
  }

  /// A number in 32 bits.
  public init(_ number: Float) {
    width = .single
    bitPattern = UInt64(number.bitPattern)
  }

  /// A number in 64 bits.
  public init(_ number: Double) {
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

  /// The number, exactly: every narrower one is also a `Double`.
  public var value: Double {
    switch width {
    case .half: Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bitPattern)))
    case .single: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bitPattern)))
    case .double: Double(bitPattern: bitPattern)
    }
  }
}

/// A simple value (RFC 8949 §3.3): one of the four that have a name, or a number that nobody has given a meaning.
public struct CBORSimple: Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8

  /// `false`
  public static let `false` = Self(unchecked: 20)
  /// `true`
  public static let `true` = Self(unchecked: 21)
  /// `null`
  public static let null = Self(unchecked: 22)
  /// `undefined`
  public static let undefined = Self(unchecked: 23)

  /// The value with this number. 24 to 31 are reserved, and nil.
  public init?(rawValue: UInt8) {
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
