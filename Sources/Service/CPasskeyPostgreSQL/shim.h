// SPDX-License-Identifier: Apache-2.0
// Parts of libpq that Swift cannot import well: field codes that are characters, and arrays of strings.
#pragma once

// Debian has the header in a folder of its own.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <string.h>

static const int passkey_postgresql_state = PG_DIAG_SQLSTATE;
static const int passkey_postgresql_message = PG_DIAG_MESSAGE_PRIMARY;

// Drops notices, which libpq would write to standard error. Sets the flag at the notice that a commit no longer waits for
// its standby: the server has committed it alone, and reports success. The function's name is not translated.
static inline void passkey_postgresql_read_notice(void *flag, const PGresult *notice) {
  const char *function = PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
  if (flag && function && !strcmp(function, "SyncRepWaitForLSN")) *(int *)flag = 1;
}

// Lets the connection report a commit without its standby in this flag, which must outlive the connection.
static inline void passkey_postgresql_report_lone_commits(PGconn *connection, int *flag) {
  PQsetNoticeReceiver(connection, passkey_postgresql_read_notice, flag);
}

// Connects and waits. The URL overrides the parameters before it in the list, and those after it override the URL:
// a server that cannot be written to is never the right one.
static inline PGconn *passkey_postgresql_connect(const char *url, const char *connect_timeout) {
  const char *const names[] = {
      "application_name", "connect_timeout",  "keepalives_idle", "keepalives_interval",  "keepalives_count",
      "tcp_user_timeout", "dbname",           "target_session_attrs", "client_encoding", (const char *)0};
  const char *const values[] = {
      "passkey", connect_timeout, "15", "5", "3", "15000", url, "read-write", "UTF8", (const char *)0};
  PGconn *connection = PQconnectdbParams(names, values, 1);
  if (connection) passkey_postgresql_report_lone_commits(connection, (int *)0);
  return connection;
}

// Returns whether libpq can parse the URL.
static inline int passkey_postgresql_can_read(const char *url) {
  PQconninfoOption *options = PQconninfoParse(url, (char **)0);
  if (!options) return 0;
  PQconninfoFree(options);
  return 1;
}

// Returns a parameter's value in the URL, or libpq's value from the environment, or null.
static inline const char *passkey_postgresql_parameter(const PQconninfoOption *given, const PQconninfoOption *standard,
                                                       const char *name) {
  for (const PQconninfoOption *option = given; option && option->keyword; option++)
    if (!strcmp(option->keyword, name) && option->val && *option->val) return option->val;
  for (const PQconninfoOption *option = standard; option && option->keyword; option++)
    if (!strcmp(option->keyword, name) && option->val && *option->val) return option->val;
  return (const char *)0;
}

// Returns whether one of the comma-separated hosts is another machine.
static inline int passkey_postgresql_is_remote(const char *hosts) {
  while (hosts && *hosts) {
    size_t count = strcspn(hosts, ",");
    int is_local = !count || *hosts == '/' || *hosts == '@' || !strncmp(hosts, "127.", 4) ||
                   (count == 3 && !strncmp(hosts, "::1", 3)) || (count == 9 && !strncmp(hosts, "localhost", 9));
    if (!is_local) return 1;
    hosts += count;
    if (*hosts == ',') hosts++;
  }
  return 0;
}

// Returns whether the URL allows unencrypted connections over a network.
static inline int passkey_postgresql_allows_plain_text(const char *url) {
  PQconninfoOption *given = PQconninfoParse(url, (char **)0);
  if (!given) return 0;
  PQconninfoOption *standard = PQconndefaults();
  const char *mode = passkey_postgresql_parameter(given, standard, "sslmode");
  const char *address = passkey_postgresql_parameter(given, standard, "hostaddr");
  const char *host = address ? address : passkey_postgresql_parameter(given, standard, "host");
  int is_optional = !mode || !strcmp(mode, "prefer") || !strcmp(mode, "allow") || !strcmp(mode, "disable");
  int allows = is_optional && passkey_postgresql_is_remote(host);
  PQconninfoFree(given);
  if (standard) PQconninfoFree(standard);
  return allows;
}
