// SPDX-License-Identifier: Apache-2.0

/// A value that both databases store alike.
public enum StorageValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer: `INTEGER` in SQLite, `bigint` in PostgreSQL.
  case integer(Int64)
  /// Text without NUL: `TEXT`.
  case text(String)
  /// Bytes: `BLOB` in SQLite, `bytea` in PostgreSQL.
  case bytes([UInt8])
}

/// Tables of the server that embeds the service, in the store's database.
public struct EmbeddedTables: Sendable {
  /// Statements that create the tables if they are missing, run at each start in one transaction. Both databases know
  /// `CREATE TABLE IF NOT EXISTS`.
  public var creation: [String]

  /// Statements that delete a person's rows when the account is erased, in the same transaction. Each has one parameter,
  /// `$1`, the account's handle as bytes.
  public var erasure: [String]

  /// Creates a description of tables.
  public init(creation: [String] = [], erasure: [String] = []) {
    self.creation = creation
    self.erasure = erasure
  }
}
