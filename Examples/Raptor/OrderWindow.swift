// SPDX-License-Identifier: Apache-2.0

import WireFormats

/// The orders that one user placed without confirmation in the last hour.
///
/// The threshold applies to their sum, so that many small orders need a confirmation like one large order.
struct OrderWindow {
  /// The value that may be traded in an hour without confirmation.
  static let threshold = Money(cents: 1_000_000)

  private static let length = Duration.seconds(3_600)

  private var orders: [(time: Timestamp, value: Money)] = []

  /// Counts an order. Returns false, without counting it, if the sum would exceed the threshold.
  mutating func take(_ value: Money, at time: Timestamp) -> Bool {
    orders.removeAll { $0.time + Self.length <= time }
    let sum = orders.reduce(Money(cents: 0)) { $0 + $1.value }
    guard sum + value <= Self.threshold else { return false }
    orders.append((time, value))
    return true
  }

  /// Removes the latest order of this value, which was not executed.
  mutating func giveBack(_ value: Money) {
    if let index = orders.lastIndex(where: { $0.value == value }) { orders.remove(at: index) }
  }
}
