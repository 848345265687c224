// SPDX-License-Identifier: Apache-2.0

import WebAuthnTypes
import WireFormats

/// The accounts' cash and positions, in memory.
actor Book {
  struct Account: Sendable {
    var cash = Money(cents: 10_000_000)
    var positions: [String: Int64] = [:]

    func held(_ symbol: String) -> Int64 { positions[symbol] ?? 0 }

    mutating func add(_ quantity: Int64, of symbol: String) {
      let sum = held(symbol) + quantity
      positions[symbol] = sum == 0 ? nil : sum
    }

    /// The cash plus the positions at market prices.
    var value: Money {
      positions.reduce(cash) { (sum, position) in
        sum + (Market.prices[position.key]?.times(position.value) ?? Money(cents: 0))
      }
    }
  }

  /// The reason for refusing an order.
  enum Refusal: String, Error { case cash = "order.not-enough-cash", position = "order.not-enough-held" }

  private var accounts: [UserHandle: Account] = [:]
  private var windows: [UserHandle: OrderWindow] = [:]

  func account(of user: UserHandle) -> Account { accounts[user] ?? Account() }

  /// Counts an unconfirmed order against the hourly threshold. Returns false if the order needs a confirmation.
  func countUnconfirmed(_ order: Order, for user: UserHandle, at time: Timestamp) -> Bool {
    windows[user, default: OrderWindow()].count(order.value, at: time)
  }

  /// Removes an unconfirmed order that was not executed from the hourly sum.
  func uncount(_ order: Order, for user: UserHandle) {
    windows[user]?.uncount(order.value)
  }

  /// Reserves the cash or the shares for an order, so that a concurrent order cannot use them.
  func reserve(_ order: Order, for user: UserHandle) throws(Refusal) {
    var account = account(of: user)
    switch order.side {
    case .buy:
      guard account.cash >= order.value else { throw .cash }
      account.cash = account.cash - order.value
    case .sell:
      guard account.held(order.symbol) >= order.quantity else { throw .position }
      account.add(-order.quantity, of: order.symbol)
    }
    accounts[user] = account
  }

  /// Executes a reserved order and returns the new account.
  func settle(_ order: Order, for user: UserHandle) -> Account {
    var account = account(of: user)
    switch order.side {
    case .buy: account.add(order.quantity, of: order.symbol)
    case .sell: account.cash = account.cash + order.value
    }
    accounts[user] = account
    return account
  }

  /// Returns the reserved cash or shares of an order that will not be executed.
  func release(_ order: Order, for user: UserHandle) {
    var account = account(of: user)
    switch order.side {
    case .buy: account.cash = account.cash + order.value
    case .sell: account.add(order.quantity, of: order.symbol)
    }
    accounts[user] = account
  }
}
