// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Whole milliseconds, rounded up, in the range that C's functions take: a month is for ever.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(2_000_000))).components
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
