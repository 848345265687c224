// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyService
import WireFormats

/// The trading endpoints. The auth service identifies the user and checks step-up confirmations.
struct TradingFloor: Sendable {
  private let endpoints: Endpoints
  private let book = Book()

  /// 20 orders at once, then one every three seconds, for each account [more than a person places by hand].
  private let limiter = RateLimiter(RateLimit(burst: 20, then: .seconds(3)), keys: 1 << 12, beginning: .now)

  init(_ endpoints: Endpoints) {
    self.endpoints = endpoints
  }

  var routes: [Route] {
    [
      Route(.get, "/api/portfolio") { (request) in try await portfolio(request) },
      Route(.get, "/api/positions") { (request) in try await positions(request) },
      Route(.post, "/api/orders") { (request) in try await order(request) },
    ]
  }

  private func portfolio(_ request: HTTPRequest) async throws -> HTTPResponse {
    let session = try await endpoints.authenticate(request)
    let account = await book.account(of: session.account.handle)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.write("cash", "\(account.cash)")
      object.write("value", "\(account.value)")
      object.write("currency", "USD")
    }
  }

  private func positions(_ request: HTTPRequest) async throws -> HTTPResponse {
    let session = try await endpoints.authenticate(request)
    let account = await book.account(of: session.account.handle)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.writeArray("positions") { (positions) in
        for (symbol, quantity) in account.positions.sorted(by: { $0.key < $1.key }) {
          positions.writeObject { (position: inout JSONObjectWriter) in
            position.write("symbol", symbol)
            position.write("quantity", .integer(quantity))
          }
        }
      }
    }
  }

  /// Places an order.
  ///
  /// Spends the confirmation first, so that it can never confirm a second order; the audit trail records the bytes that it
  /// confirmed. Then writes the order to the audit trail, and only then settles it: if the trail cannot be written,
  /// nothing is traded, and the client can repeat the request.
  private func order(_ request: HTTPRequest) async throws -> HTTPResponse {
    let session = try await endpoints.authenticate(request)
    let user = session.account.handle
    try limiter.require(.account("\(user)"), at: .now)
    let order = try Order(JSONBody(request))
    let isLarge = await !book.countUnconfirmed(order, for: user, at: request.receivedAt)
    if isLarge { _ = try await endpoints.spendConfirmation(of: request, by: session) }
    do {
      try await book.reserve(order, for: user)
      do {
        try await record(order, AuditDraft.success, isConfirmed: isLarge, session, request)
      } catch {
        await book.release(order, for: user)
        if !isLarge { await book.uncount(order, for: user) }
        throw error
      }
      let account = await book.settle(order, for: user)
      return HTTPResponse.json(.created) { (object: inout JSONObjectWriter) in
        object.write("symbol", order.symbol)
        object.write("side", order.side.rawValue)
        object.write("quantity", .integer(order.quantity))
        object.write("value", "\(order.value)")
        object.write("cash", "\(account.cash)")
        object.write("confirmed", .bool(isLarge))
      }
    } catch let refusal as Book.Refusal {
      if !isLarge { await book.uncount(order, for: user) }
      try await record(order, refusal.rawValue, isConfirmed: isLarge, session, request)
      return .problem(.unprocessableContent, code: refusal.rawValue, title: "Order refused by the book", to: request)
    }
  }

  private func record(
    _ order: Order, _ outcome: String, isConfirmed: Bool, _ session: AuthenticatedSession, _ request: HTTPRequest
  ) async throws {
    let context = RequestContext(
      time: request.receivedAt, requestID: "\(request.id)", sourceAddress: "\(request.client)")
    try await endpoints.service.record(
      AuditEvent(rawValue: "order.placed"), by: session, subject: .other(kind: "order", name: "\(request.id)"),
      outcome: outcome,
      details: [
        "symbol": order.symbol, "side": order.side.rawValue, "quantity": "\(order.quantity)",
        "value": "\(order.value)", "confirmed": "\(isConfirmed)",
      ], in: context)
  }
}
