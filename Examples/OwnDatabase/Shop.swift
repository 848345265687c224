// SPDX-License-Identifier: Apache-2.0

import Foundation
import Passkeys

/// The shop's orders, in a database of its own that also has the tables of the service.
protocol Shop: Sendable {
  var storage: DatabaseStorage { get }
  /// Writes an order, and spends its confirmation, in one transaction.
  func place(_ order: Order, _: EndpointRequest, by: AuthenticatedSession, at: Endpoints) async throws
  /// Returns the titles that a customer has ordered, oldest first.
  func titles(orderedBy customer: UserHandle, in service: AuthService) async throws -> [String]
}

struct Order: Sendable {
  let (id, title): (String, String)
  /// Writes the audit record, which also becomes the notice `order.placed`.
  func record(in transaction: ServiceTransaction) throws(StorageError) {
    try transaction.record(AuditEvent(rawValue: "order.placed"), subject: (kind: "order", name: id))
  }
}

func routes(of shop: any Shop, at endpoints: Endpoints) -> [EndpointRoute] {
  [
    EndpointRoute(.post, "/api/orders") { (request) in
      let session = try await endpoints.authenticate(request)
      let id = UUID().uuidString
      let order = Order(id: id, title: try JSONBody(request).string("title", atMost: 100))
      try await shop.place(order, request, by: session, at: endpoints)
      return .json(["id": .string(id)], status: .created)
    },
    EndpointRoute(.get, "/api/orders") { (request) in
      let session = try await endpoints.authenticate(request)
      let titles = try await shop.titles(orderedBy: session.account.handle, in: endpoints.service)
      return .json(["titles": .array(titles.map { (title) in .string(title) })])
    },
  ]
}

/// Bytes as pairs of hex digits.
func hex(_ bytes: [UInt8]) -> String {
  bytes.map { (byte) in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// An error of the shop's own connection.
struct DatabaseFault: Error { let message: String }

/// Runs calls that wait for a disk or a socket on a thread of their own: Swift's tasks share a few threads.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { (continuation) in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
