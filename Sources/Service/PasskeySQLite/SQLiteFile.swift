// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The program that a SQLite file belongs to.
public enum SQLiteFileOwner: Sendable {
  /// The store. The file has the store's application ID and user version, and free pages are returned to the file
  /// system.
  case service
  /// The server that embeds the service. The file has the server's application ID, user version and settings. The names
  /// of the store's tables and indexes begin with `passkey_`.
  case embeddingServer

  var tables: SQLTableNames {
    switch self {
    case .service: .plain
    case .embeddingServer: .prefixed
    }
  }
}

/// A database file.
struct SQLiteFile: Sendable {
  let path: String
  let owner: SQLiteFileOwner
  let health = SQLiteHealth()

  /// Opens a connection.
  func connection(
    for use: SQLiteConnection.Use, busyTimeout: Duration
  ) throws(StorageError) -> SQLiteConnection {
    try SQLiteConnection(path, for: use, busyTimeout: busyTimeout, tables: owner.tables, health: health)
  }
}
