// SPDX-License-Identifier: Apache-2.0

import WireFormats

/// The moments around which tests turn.
enum Moment {
  static let y2020 = Timestamp(secondsSince1970: 1_577_836_800)
  static let y2030 = Timestamp(secondsSince1970: 1_893_456_000)
  static let y2040 = Timestamp(secondsSince1970: 2_208_988_800)
  static let y2050 = Timestamp(secondsSince1970: 2_524_608_000)
}
