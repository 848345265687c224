// SPDX-License-Identifier: Apache-2.0
// What Swift needs of libpq and cannot import by itself, or not without contortions: fields' codes that are characters, and
// arrays of strings.
#pragma once

#include <libpq-fe.h>

static const int passkey_postgresql_state = PG_DIAG_SQLSTATE;
static const int passkey_postgresql_message = PG_DIAG_MESSAGE_PRIMARY;

// Notices would go to standard error.
static inline void passkey_postgresql_drop_notice(void *argument, const char *message) {
  (void)argument;
  (void)message;
}

// Connects and waits for it. What the URL says wins over what stands before it here, and what stands behind it over the URL:
// a server that cannot be written to is never the right one.
static inline PGconn *passkey_postgresql_connect(const char *url, const char *connect_timeout) {
  const char *const names[] = {
      "application_name", "connect_timeout",  "keepalives_idle", "keepalives_interval",  "keepalives_count",
      "tcp_user_timeout", "dbname",           "target_session_attrs", "client_encoding", (const char *)0};
  const char *const values[] = {
      "passkey", connect_timeout, "15", "5", "3", "15000", url, "read-write", "UTF8", (const char *)0};
  PGconn *connection = PQconnectdbParams(names, values, 1);
  if (connection) PQsetNoticeProcessor(connection, passkey_postgresql_drop_notice, (void *)0);
  return connection;
}

// Whether libpq can read the URL.
static inline int passkey_postgresql_can_read(const char *url) {
  PQconninfoOption *options = PQconninfoParse(url, (char **)0);
  if (!options) return 0;
  PQconninfoFree(options);
  return 1;
}
