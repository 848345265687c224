// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

/// An order to buy or sell shares.
struct Order: Hashable, Sendable {
  enum Side: String, Sendable { case buy, sell }

  let symbol: String
  let side: Side
  let quantity: Int64

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
