// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP

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

/// An order to buy or sell shares.
struct Order: Hashable, Sendable {
  enum Side: String, Sendable { case buy, sell }

  let symbol: String
  let side: Side
  let quantity: Int64

  init(symbol: String, side: Side, quantity: Int64) {
    self.symbol = symbol
    self.side = side
    self.quantity = quantity
  }

  /// Reads `{"symbol": "RAXX", "side": "buy", "quantity": 10}`. A confirmation covers unknown members of the body too, but
  /// they have no effect.
  init(_ body: JSONBody) throws {
    symbol = try body.string("symbol", atMost: 8)
    guard Market.prices[symbol] != nil else { throw body.invalid("symbol") }
    guard let side = Side(rawValue: try body.string("side")) else { throw body.invalid("side") }
    self.side = side
    quantity = Int64(try body.integer("quantity"))
    guard 1...1_000_000 ~= quantity else { throw body.invalid("quantity") }
  }

  /// The value at the market price.
  var value: Money { Market.prices[symbol]?.times(quantity) ?? .maximum }
}

/// A market with fixed prices: the example is about authorization.
enum Market {
  static let prices: [String: Money] = [
    "RAXX": Money(cents: 4_210), "YAPT": Money(cents: 1_525), "AIDAY": Money(cents: 98_700),
  ]
}

/// The limit on orders without confirmation. It applies to their sum in an hour, so that many small orders need a
/// confirmation like one large order.
enum OrderWindow {
  /// The value that may be traded in an hour without confirmation.
  static let threshold = Money(cents: 1_000_000)

  static let length = Duration.seconds(3_600)
}
