// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Adds the database's own state: pending scrubs, its identity, and the sentinel row that is read when no account is
  /// found.
  static let upkeep = Migration(
    purpose: "scrubbing that outlasts a restart, whose the database is, and a sentinel",
    statements: [
      "CREATE TABLE scrubs (id INTEGER PRIMARY KEY NOT NULL, due INTEGER NOT NULL, done INTEGER NOT NULL)",
      Sentinel.table,
      "CREATE TABLE identity (id INTEGER PRIMARY KEY NOT NULL, relying_party TEXT NOT NULL, secret_check BLOB NOT NULL)",
    ],
    rows: [
      // Data erased before this step may still be in the files.
      SQLStatement("INSERT INTO scrubs (id, due, done) VALUES (1, $1, $2)", [.integer(1), .integer(0)]),
      Sentinel.insertion,
    ])
}
