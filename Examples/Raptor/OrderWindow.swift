// SPDX-License-Identifier: Apache-2.0

import WireFormats

/// The orders that one user placed without a confirmation in the last hour.
///
/// The threshold applies to their sum: many orders just below it need a confirmation as one large order does.
struct OrderWindow {
  /// What may be traded in an hour without a confirmation.
  static let threshold = Money(cents: 1_000_000)

  private static let length = Duration.seconds(3_600)

  private var orders: [(time: Timestamp, value: Money)] = []

  /// Counts an order, unless it would raise the sum above the threshold; whether it was counted.
  mutating func take(_ value: Money, at time: Timestamp) -> Bool {
    orders.removeAll { $0.time + Self.length <= time }
    let sum = orders.reduce(Money(cents: 0)) { $0 + $1.value }
    guard sum + value <= Self.threshold else { return false }
    orders.append((time, value))
    return true
  }

  /// Takes the latest order of this value back: it was not carried out.
  mutating func giveBack(_ value: Money) {
    if let index = orders.lastIndex(where: { $0.value == value }) { orders.remove(at: index) }
  }
}
