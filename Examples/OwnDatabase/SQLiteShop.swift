// SPDX-License-Identifier: Apache-2.0

import CPasskeySQLite
import Passkeys

/// A shop in its own SQLite file. The service's tables are beside the shop's, with the prefix `passkey_`.
struct SQLiteShop: Shop {
  private let file: SQLiteStorage
  var storage: DatabaseStorage { file }

  init(_ path: String) async throws {
    file = try await SQLiteStorage.open(path, owner: .embeddingServer)
    try await onThread {
      var connection: OpaquePointer?
      defer { unsafe sqlite3_close_v2(connection) }
      // The service writes to the file too: wait for its lock. The user version is the shop's.
      let script = """
        PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
          customer BLOB NOT NULL REFERENCES passkey_accounts (handle) ON DELETE CASCADE);
        PRAGMA user_version = 1; COMMIT
        """
      guard unsafe sqlite3_open(path, &connection) == SQLITE_OK,
        unsafe sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK
      else { throw DatabaseFault(message: unsafe String(cString: sqlite3_errmsg(connection))) }
    }
  }

  func place(
    _ order: Order, _ request: EndpointRequest, by session: AuthenticatedSession, at endpoints: Endpoints
  ) async throws {
    let customer = StorageValue.bytes(Array(session.account.handle.bytes))
    try await endpoints.perform(request, by: session, isConfirmed: true) { (transaction, _) throws(StorageError) in
      _ = try transaction.rows(
        "INSERT INTO orders (id, title, customer) VALUES ($1, $2, $3)", [.text(order.id), .text(order.title), customer])
      try order.record(in: transaction)
    }
  }

  func titles(orderedBy customer: UserHandle, in service: AuthService) async throws -> [String] {
    let key = StorageValue.bytes(Array(customer.bytes))
    let rows = try await service.transact { (transaction) throws(StorageError) in
      try transaction.rows("SELECT title FROM orders WHERE customer = $1 ORDER BY number", [key])
    }
    return rows.compactMap { (row) in if case .text(let title)? = row.first { title } else { nil } }
  }
}
