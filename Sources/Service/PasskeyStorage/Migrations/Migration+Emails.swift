// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension Migration {
  /// Adds email ceremonies, the number of mails of an address, and recovery codes that are not valid at once.
  static let emailCeremonies = Migration(
    purpose: "verified addresses, and recovery by mail",
    statements: [
      """
      CREATE TABLE email_ceremonies (
        id BLOB PRIMARY KEY NOT NULL, purpose TEXT NOT NULL, token BLOB NOT NULL UNIQUE, account BLOB,
        email TEXT NOT NULL, decoy INTEGER NOT NULL, payload BLOB NOT NULL, failed_attempts INTEGER NOT NULL,
        created INTEGER NOT NULL, not_before INTEGER, expiry INTEGER NOT NULL)
      """,
      "CREATE INDEX email_ceremonies_account ON email_ceremonies (account) WHERE account IS NOT NULL",
      "CREATE INDEX email_ceremonies_email ON email_ceremonies (email)",
      "CREATE INDEX email_ceremonies_expiry ON email_ceremonies (expiry)",
      """
      CREATE TABLE mail_counts (email TEXT PRIMARY KEY NOT NULL, mails INTEGER NOT NULL, expiry INTEGER NOT NULL)
        WITHOUT ROWID
      """,
      "CREATE INDEX mail_counts_expiry ON mail_counts (expiry)",
      "ALTER TABLE codes ADD COLUMN not_before INTEGER",
    ], rows: [])

  /// Adds the clients from which accounts were used.
  static let knownClients = Migration(
    purpose: "clients that are known to their accounts",
    statements: [
      """
      CREATE TABLE known_clients (
        user_handle BLOB NOT NULL, client BLOB NOT NULL, expiry INTEGER NOT NULL, PRIMARY KEY (user_handle, client))
        WITHOUT ROWID
      """,
      "CREATE INDEX known_clients_expiry ON known_clients (expiry)",
    ], rows: [])
}
