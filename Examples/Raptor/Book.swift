// SPDX-License-Identifier: Apache-2.0

import WebAuthnTypes

/// Who has what, on paper and in memory.
actor Book {
  struct Account: Sendable {
    var cash = Money(cents: 10_000_000)
    var positions: [String: Int64] = [:]

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

  func account(of user: UserHandle) -> Account { accounts[user] ?? Account() }

  /// Carries an order out, whole or not at all.
  func execute(_ order: Order, for user: UserHandle) throws(Refusal) -> Account {
    var account = account(of: user)
    let held = account.positions[order.symbol] ?? 0
    switch order.side {
    case .buy:
      guard account.cash >= order.value else { throw .cash }
      account.cash = account.cash - order.value
      account.positions[order.symbol] = held + order.quantity
    case .sell:
      guard held >= order.quantity else { throw .position }
      account.cash = account.cash + order.value
      account.positions[order.symbol] = held == order.quantity ? nil : held - order.quantity
    }
    accounts[user] = account
    return account
  }
}
