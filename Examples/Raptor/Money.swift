// SPDX-License-Identifier: Apache-2.0

/// An amount of paper dollars in whole cents, since binary fractions cannot represent cents.
struct Money: Hashable, Comparable, Sendable, CustomStringConvertible {
  var cents: Int64

  static func < (left: Self, right: Self) -> Bool { left.cents < right.cents }
  static func + (left: Self, right: Self) -> Self { Self(cents: left.cents + right.cents) }
  static func - (left: Self, right: Self) -> Self { Self(cents: left.cents - right.cents) }

  /// The price of `quantity` shares; nil if it exceeds ``maximum``.
  func times(_ quantity: Int64) -> Self? {
    let (product, overflow) = cents.multipliedReportingOverflow(by: quantity)
    return overflow || product > Self.maximum.cents ? nil : Self(cents: product)
  }

  /// A billion dollars [accounts start with a hundred thousand].
  static let maximum = Self(cents: 100_000_000_000)

  var description: String {
    let rest = abs(cents % 100)
    return "\(cents < 0 ? "-" : "")\(abs(cents / 100)).\(rest < 10 ? "0" : "")\(rest)"
  }
}
