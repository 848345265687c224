// SPDX-License-Identifier: Apache-2.0
// Parts of SQLite that Swift cannot import: a destructor constant that is a cast, and a variadic function.
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

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

// Returns the index of the write-ahead log, which all processes share, or null. A connection keeps it while it is open.
static inline const void *passkey_sqlite_log_index(sqlite3 *connection) {
  sqlite3_file *file = 0;
  void volatile *index = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file) return 0;
  if (!file->pMethods || file->pMethods->iVersion < 2) return 0;
  if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK) return 0;
  return (const void *)index;
}

// Copies the header of the index, 48 bytes. SQLite writes it twice; it returns false while the two differ.
static inline bool passkey_sqlite_copy_log_header(const void *index, void *header) {
  char other[48];
  memcpy(header, index, 48);
  __sync_synchronize();
  memcpy(other, (const char *)index + 48, 48);
  return memcmp(header, other, 48) == 0;
}

// Makes the last connection that is closed leave the write-ahead log as it is.
static inline int passkey_sqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Disables SQLite's memory statistics, which need a global lock. Call before the first use of the library.
static inline void passkey_sqlite_count_no_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Prevents statements from writing to the schema tables.
static inline int passkey_sqlite_defend(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
