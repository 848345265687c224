// SPDX-License-Identifier: Apache-2.0

import WebAuthnTypes
import WireFormats

/// Who has what, on paper and in memory.
actor Book {
  struct Account: Sendable {
    var cash = Money(cents: 10_000_000)
    var positions: [String: Int64] = [:]

    func held(_ symbol: String) -> Int64 { positions[symbol] ?? 0 }

    mutating func add(_ quantity: Int64, of symbol: String) {
      let sum = held(symbol) + quantity
      positions[symbol] = sum == 0 ? nil : sum
    }

    /// What all of it is worth.
    var value: Money {
      positions.reduce(cash) { (sum, position) in
        sum + (Market.prices[position.key]?.times(position.value) ?? Money(cents: 0))
      }
    }
  }

  /// Why an order is not carried out.
  enum Refusal: String, Error { case cash = "order.not-enough-cash", position = "order.not-enough-held" }

  private var accounts: [UserHandle: Account] = [:]
  private var windows: [UserHandle: OrderWindow] = [:]

  func account(of user: UserHandle) -> Account { accounts[user] ?? Account() }

  /// Counts an order that was not confirmed against the threshold of an hour; whether it needs no confirmation.
  func admits(_ order: Order, for user: UserHandle, at time: Timestamp) -> Bool {
    windows[user, default: OrderWindow()].take(order.value, at: time)
  }

  /// Takes an unconfirmed order out of the sum again: it was not carried out.
  func uncount(_ order: Order, for user: UserHandle) {
    windows[user]?.giveBack(order.value)
  }

  /// Takes what the user gives for an order, so that no other order can take it meanwhile.
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

  /// Gives the user what a reserved order brings.
  func settle(_ order: Order, for user: UserHandle) -> Account {
    var account = account(of: user)
    switch order.side {
    case .buy: account.add(order.quantity, of: order.symbol)
    case .sell: account.cash = account.cash + order.value
    }
    accounts[user] = account
    return account
  }

  /// Gives back what was taken for an order that will not be carried out.
  func release(_ order: Order, for user: UserHandle) {
    var account = account(of: user)
    switch order.side {
    case .buy: account.cash = account.cash + order.value
    case .sell: account.add(order.quantity, of: order.symbol)
    }
    accounts[user] = account
  }
}
