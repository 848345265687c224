// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// What a database knows of itself: whether something that was deleted has still to be scrubbed out of its files, whose
  /// it is, and what is read where nobody is found.
  static let upkeep = Migration(
    purpose: "scrubbing that outlasts a restart, whose the database is, and a sentinel",
    statements: [
      "CREATE TABLE scrubs (id INTEGER PRIMARY KEY NOT NULL, due INTEGER NOT NULL, done INTEGER NOT NULL)",
      Sentinel.table,
      "CREATE TABLE identity (id INTEGER PRIMARY KEY NOT NULL, relying_party TEXT NOT NULL, secret_check BLOB NOT NULL)",
    ],
    rows: [
      // What was erased before this was noted may still be there.
      SQLStatement("INSERT INTO scrubs (id, due, done) VALUES (1, $1, $2)", [.integer(1), .integer(0)]),
      Sentinel.insertion,
    ])
}
