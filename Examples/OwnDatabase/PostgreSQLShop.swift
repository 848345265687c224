// SPDX-License-Identifier: Apache-2.0

import CPasskeyPostgreSQL
import Glibc
import PasskeyPostgreSQL
import Passkeys

/// A shop in its own PostgreSQL database. The service's tables are in the schema `passkey`, or that of the URL.
struct PostgreSQLShop: Shop {
  private let store: PostgreSQLStorage
  private let url: String
  var storage: DatabaseStorage { store }

  init(_ url: String) async throws {
    let configuration = PostgreSQLConfiguration(url: url)
    self.url = configuration.url
    store = try await PostgreSQLStorage.open(configuration)
    try await onThread {
      _ = try ShopConnection(configuration.url).column(
        """
        CREATE TABLE IF NOT EXISTS orders (number bigserial PRIMARY KEY, id text NOT NULL UNIQUE, title text NOT NULL,
          customer bytea NOT NULL REFERENCES \(configuration.schema).accounts (handle) ON DELETE CASCADE)
        """)
    }
  }

  func place(
    _ order: Order, _ request: EndpointRequest, by session: AuthenticatedSession, at endpoints: Endpoints
  ) async throws {
    let customer = "\\x" + hex(session.account.handle.bytes)
    let connection = try await onThread { [url] in
      let connection = try ShopConnection(url)  // or one of a pool
      _ = try connection.column("BEGIN")
      _ = try connection.column(
        "INSERT INTO orders (id, title, customer) VALUES ($1, $2, $3::bytea)", [order.id, order.title, customer])
      return connection
    }
    // Last before the commit, because it excludes sign-ins until then.
    let loan = unsafe store.borrow(connection.pointer)
    try await endpoints.perform(request, by: session, isConfirmed: true, within: loan) {
      (transaction, _) throws(StorageError) in try order.record(in: transaction)
    }
    try await onThread { _ = try connection.column("COMMIT") }
    store.outboxSignal.give()  // wakes the deliverer of this process
  }

  func titles(orderedBy customer: UserHandle, in _: AuthService) async throws -> [String] {
    let key = "\\x" + hex(customer.bytes)
    return try await onThread { [url] in
      try ShopConnection(url).column("SELECT title FROM orders WHERE customer = $1::bytea ORDER BY number", [key])
    }
  }
}

/// A connection of the shop. Closing it rolls back a transaction that was not committed.
@safe final class ShopConnection: @unchecked Sendable {  // Used by one request, by one thread at a time.
  let pointer: OpaquePointer
  init(_ url: String) throws {
    guard let connection = unsafe PQconnectdb(url) else { throw DatabaseFault(message: "out of memory") }
    unsafe pointer = connection
    guard unsafe PQstatus(pointer) == CONNECTION_OK else { throw fault }
  }
  deinit { unsafe PQfinish(pointer) }

  /// Runs a statement, and returns the first column of its rows.
  func column(_ statement: String, _ values: [String] = []) throws -> [String] {
    let copies = unsafe values.map { (value) in unsafe UnsafePointer<CChar>(strdup(value)) }
    defer { unsafe copies.forEach { (copy) in unsafe free(UnsafeMutablePointer(mutating: copy)) } }
    let result = unsafe PQexecParams(pointer, statement, Int32(values.count), nil, copies, nil, nil, 0)
    defer { unsafe PQclear(result) }
    guard unsafe [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else { throw fault }
    return (0..<(unsafe PQntuples(result))).map { unsafe String(cString: PQgetvalue(result, $0, 0)) }
  }
  private var fault: DatabaseFault { DatabaseFault(message: unsafe String(cString: PQerrorMessage(pointer))) }
}
