// SPDX-License-Identifier: Apache-2.0
// Parts of SQLite that Swift cannot import: a destructor constant that is a cast, and a variadic function.
#pragma once

#include <sqlite3.h>

// SQLite copies the bound bytes before these return.
static inline int passkey_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *start, int count) {
  return sqlite3_bind_text(statement, index, start, count, SQLITE_TRANSIENT);
}

static inline int passkey_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *start, int count) {
  return sqlite3_bind_blob(statement, index, start, count, SQLITE_TRANSIENT);
}

// Stores the number of pages in the write-ahead log in `pages` after each commit.
static inline int passkey_sqlite_note_pages(void *pages, sqlite3 *connection, const char *name, int count) {
  (void)connection;
  (void)name;
  *(int *)pages = count;
  return SQLITE_OK;
}

static inline void passkey_sqlite_count_pages(sqlite3 *connection, int *pages) {
  sqlite3_wal_hook(connection, passkey_sqlite_note_pages, pages);
}

// Disables SQLite's memory statistics, which need a global lock. Call before the first use of the library.
static inline void passkey_sqlite_count_no_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Prevents statements from writing to the schema tables.
static inline int passkey_sqlite_defend(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
