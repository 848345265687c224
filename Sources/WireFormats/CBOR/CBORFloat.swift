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
