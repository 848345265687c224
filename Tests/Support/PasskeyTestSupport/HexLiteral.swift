// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// Decodes hex digits in a test; spaces are ignored.
///
/// Does not use the library's decoder, so that a fault there cannot hide.
public func hex(_ digits: String) -> [UInt8] {
  let nibbles = digits.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }.map(nibble)
  precondition(nibbles.count.isMultiple(of: 2), "an odd number of hex digits in a test")
  return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
}

private func nibble(_ digit: UInt8) -> UInt8 {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: preconditionFailure("a character in a test that is not a hex digit")
  }
}

/// Fixed dates for tests.
public enum Moment {
  /// The beginning of 2000.
  public static let y2000 = UnixTime(secondsSince1970: 946_684_800)
  /// The beginning of 2020.
  public static let y2020 = UnixTime(secondsSince1970: 1_577_836_800)
  /// The beginning of 2030.
  public static let y2030 = UnixTime(secondsSince1970: 1_893_456_000)
  /// The beginning of 2040.
  public static let y2040 = UnixTime(secondsSince1970: 2_208_988_800)
  /// The beginning of 2050.
  public static let y2050 = UnixTime(secondsSince1970: 2_524_608_000)
}
