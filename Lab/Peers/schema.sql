-- SPDX-License-Identifier: Apache-2.0
-- The SQLite database of the peers whose library leaves storage to the application. Scripts/bench creates it.
PRAGMA journal_mode = WAL;
CREATE TABLE accounts (handle BLOB PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE passkeys (
  id BLOB PRIMARY KEY,
  handle BLOB NOT NULL REFERENCES accounts,
  public_key BLOB NOT NULL,
  sign_count INTEGER NOT NULL,
  used INTEGER
);
-- A challenge opens one session, so it can be used only once.
CREATE TABLE sessions (
  token BLOB PRIMARY KEY,
  handle BLOB NOT NULL REFERENCES accounts,
  challenge TEXT NOT NULL UNIQUE,
  expires INTEGER NOT NULL
);
