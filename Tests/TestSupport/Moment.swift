// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Fixed dates for tests.
public enum Moment {
  /// The beginning of 2000.
  public static let y2000 = Timestamp(secondsSince1970: 946_684_800)
  /// The beginning of 2020.
  public static let y2020 = Timestamp(secondsSince1970: 1_577_836_800)
  /// The beginning of 2030.
  public static let y2030 = Timestamp(secondsSince1970: 1_893_456_000)
  /// The beginning of 2040.
  public static let y2040 = Timestamp(secondsSince1970: 2_208_988_800)
  /// The beginning of 2050.
  public static let y2050 = Timestamp(secondsSince1970: 2_524_608_000)
}
