// SPDX-License-Identifier: Apache-2.0
// What Swift needs of SQLite and cannot import by itself: a destructor that is a cast, and a variadic function.
#pragma once

#include <sqlite3.h>

// SQLite copies what is bound before these return.
static inline int passkey_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *start, int count) {
  return sqlite3_bind_text(statement, index, start, count, SQLITE_TRANSIENT);
}

static inline int passkey_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *start, int count) {
  return sqlite3_bind_blob(statement, index, start, count, SQLITE_TRANSIENT);
}

// Has the number of pages in the write-ahead log put into `pages` after each commit.
static inline int passkey_sqlite_note_pages(void *pages, sqlite3 *connection, const char *name, int count) {
  (void)connection;
  (void)name;
  *(int *)pages = count;
  return SQLITE_OK;
}

static inline void passkey_sqlite_count_pages(sqlite3 *connection, int *pages) {
  sqlite3_wal_hook(connection, passkey_sqlite_note_pages, pages);
}

// Spares the library to count its memory, for which all threads would wait for one lock. Only before its first use.
static inline void passkey_sqlite_count_no_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Keeps statements from writing to the schema's own tables.
static inline int passkey_sqlite_defend(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
