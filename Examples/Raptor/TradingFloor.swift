// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeyService
import WebAuthnTypes

/// The trading endpoints. The auth service identifies the user and checks step-up confirmations.
struct TradingFloor: Sendable {
  private let endpoints: Endpoints
  private let book: Book

  /// 20 orders at once, then one every three seconds, for each account [more than a person places by hand].
  private let limiter = RateLimiter(RateLimit(burst: 20, then: .seconds(3)), keys: 1 << 12, beginning: .now)

  init(_ endpoints: Endpoints) {
    self.endpoints = endpoints
    book = Book(service: endpoints.service)
  }

  var routes: [EndpointRoute] {
    [
      EndpointRoute(.get, "/api/market") { (_) in market() },
      EndpointRoute(.get, "/api/portfolio") { (request) in try await portfolio(request) },
      EndpointRoute(.get, "/api/positions") { (request) in try await positions(request) },
      EndpointRoute(.get, "/api/orders") { (request) in try await orders(request) },
      EndpointRoute(.post, "/api/orders") { (request) in try await order(request) },
    ]
  }

  /// The prices, and the value that may be traded in an hour without confirmation.
  private func market() -> EndpointResponse {
    let prices = Market.prices.sorted { $0.key < $1.key }.map { (symbol, price) -> ExtensionValue in
      ["symbol": .string(symbol), "price": .string("\(price)")]
    }
    return .json([
      "currency": "USD", "unconfirmedLimit": .string("\(OrderWindow.threshold)"), "prices": .array(prices),
    ])
  }

  private func portfolio(_ request: EndpointRequest) async throws -> EndpointResponse {
    let session = try await endpoints.authenticate(request)
    let account = try await book.account(of: session.account.handle)
    return .json(["cash": .string("\(account.cash)"), "value": .string("\(account.value)"), "currency": "USD"])
  }

  private func positions(_ request: EndpointRequest) async throws -> EndpointResponse {
    let session = try await endpoints.authenticate(request)
    let account = try await book.account(of: session.account.handle)
    let positions = account.positions.sorted { $0.key < $1.key }.map { (symbol, quantity) -> ExtensionValue in
      ["symbol": .string(symbol), "quantity": .number(Double(quantity))]
    }
    return .json(["positions": .array(positions)])
  }

  private func orders(_ request: EndpointRequest) async throws -> EndpointResponse {
    let session = try await endpoints.authenticate(request)
    let entries = try await book.orders(of: session.account.handle)
    let orders = entries.map { (entry) -> ExtensionValue in
      [
        "id": .string(entry.id), "time": .string("\(entry.time)"), "symbol": .string(entry.order.symbol),
        "side": .string(entry.order.side.rawValue), "quantity": .number(Double(entry.order.quantity)),
        "value": .string("\(entry.value)"), "confirmed": .bool(entry.isConfirmed), "outcome": .string(entry.outcome),
      ]
    }
    return .json(["orders": .array(orders)])
  }

  /// Places an order.
  ///
  /// The order, the spending of its confirmation, the audit record and the notice are one transaction. The response to a
  /// confirmed order is kept with its confirmation: a client that gets no answer sends the same request again. For other
  /// orders it looks at the list.
  private func order(_ request: EndpointRequest) async throws -> EndpointResponse {
    let session = try await endpoints.authenticate(request)
    let user = session.account.handle
    try limiter.require(.account("\(user)"), at: .now)
    let order = try Order(JSONBody(request))
    // An order that is repeated with its confirmation is never placed without one.
    if !endpoints.presentsConfirmation(request) {
      let outcome = try await endpoints.perform(request, by: session, isConfirmed: false) {
        (transaction, time) throws(StorageError) in
        try Book.place(order, as: "\(request.id)", for: user, at: time, isConfirmed: false, in: transaction)
      }
      if let response = Self.response(to: order, outcome, isConfirmed: false, request) { return response }
    }
    return try await endpoints.performOnce(request, by: session) { (transaction, time) throws(StorageError) in
      let outcome = try Book.place(
        order, as: "\(request.id)", for: user, at: time, isConfirmed: true, in: transaction)
      return Self.response(to: order, outcome, isConfirmed: true, request)
        ?? .problem(.internalServerError, code: "order.unconfirmed", title: "Order not placed", to: request)
    }
  }

  /// Returns the response to an order; nil if it needs a confirmation.
  private static func response(
    to order: Order, _ outcome: Book.Outcome, isConfirmed: Bool, _ request: EndpointRequest
  ) -> EndpointResponse? {
    switch outcome {
    case .filled(let account):
      .json(
        [
          "symbol": .string(order.symbol), "side": .string(order.side.rawValue),
          "quantity": .number(Double(order.quantity)), "value": .string("\(order.value)"),
          "cash": .string("\(account.cash)"), "confirmed": .bool(isConfirmed),
        ], status: .created)
    case .rejected(let refusal):
      .problem(.unprocessableContent, code: refusal.rawValue, title: "Order refused by the book", to: request)
    case .confirmationRequired: nil
    }
  }
}
