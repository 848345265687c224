// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension Migration {
  /// Adds the outbox. Of each lane only the first row has a due time, so a claim reads no row that it cannot take.
  static let outbox = Migration(
    purpose: "notices that wait for their delivery",
    statements: [
      """
      CREATE TABLE outbox (
        number INTEGER PRIMARY KEY NOT NULL, notice BLOB NOT NULL, destination BLOB NOT NULL, lane BLOB NOT NULL,
        event BLOB NOT NULL, account BLOB, time INTEGER NOT NULL, data BLOB NOT NULL, attempts INTEGER NOT NULL,
        due INTEGER, owner BLOB, delivered BLOB NOT NULL, died INTEGER, reason BLOB)
      """,
      "CREATE INDEX outbox_lane ON outbox (destination, lane, number) WHERE died IS NULL",
      "CREATE INDEX outbox_due ON outbox (destination, due) WHERE due IS NOT NULL",
      "CREATE TABLE announcements (id INTEGER PRIMARY KEY NOT NULL, through INTEGER NOT NULL)",
    ],
    rows: [SQLStatement("INSERT INTO announcements (id, through) VALUES (1, $1)", [.integer(0)])])

  /// Leaves the lanes of new notices to the deliverer, so that a transaction that writes notices appends them and looks up
  /// nothing. With the index of lanes, each notice of another account changed another page.
  static let arrivals = Migration(
    purpose: "notices that are written faster",
    statements: [
      "ALTER TABLE outbox ADD COLUMN arranged INTEGER NOT NULL DEFAULT 1",
      "DROP INDEX outbox_lane",
      "CREATE INDEX outbox_lane ON outbox (destination, lane, number) WHERE died IS NULL AND arranged = 1",
      "CREATE INDEX outbox_arrival ON outbox (destination, number) WHERE arranged = 0",
    ], rows: [])

  /// Sends codes of users before mails that strangers asked for, however many of these wait.
  static let ranks = Migration(
    purpose: "codes of users before the mails of strangers",
    statements: [
      "ALTER TABLE outbox ADD COLUMN rank INTEGER NOT NULL DEFAULT 1",
      "DROP INDEX outbox_due",
      "CREATE INDEX outbox_due ON outbox (destination, rank, due) WHERE due IS NOT NULL",
      "DROP INDEX outbox_arrival",
      "CREATE INDEX outbox_arrival ON outbox (destination, rank, number) WHERE arranged = 0",
    ], rows: [])

  /// Finds the dead letters of an account that is erased.
  static let deadLettersOfAccounts = Migration(
    purpose: "dead letters by account",
    statements: ["CREATE INDEX outbox_dead ON outbox (account) WHERE died IS NOT NULL"], rows: [])
}
