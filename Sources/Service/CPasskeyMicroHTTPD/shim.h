// SPDX-License-Identifier: Apache-2.0
// Variadic functions of libmicrohttpd, which Swift cannot import.
#pragma once

#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Called before the library sends a response of its own. Must outlive the daemon.
struct passkey_log {
  void *_Nullable context;
  void (*_Nonnull answers_by_itself)(void *_Nullable context);
};

// Handles the library's log messages, of which only one matters.
static inline void passkey_report(void *_Nonnull log, const char *_Nullable format, va_list arguments) {
  static const char own_answer[] = "Error processing request";
  (void)arguments;
  const struct passkey_log *target = log;
  if (format && !strncmp(format, own_answer, sizeof own_answer - 1)) target->answers_by_itself(target->context);
}

// The options of a daemon. Pointers may be null; strings must outlive the daemon.
struct passkey_daemon_settings {
  MHD_socket listening_socket;
  int waker;
  unsigned int connection_limit;
  unsigned int inactivity_seconds;
  size_t memory_per_connection;
  const char *_Nullable certificate;
  const char *_Nullable key;
  const char *_Nullable priorities;
  void *_Nullable context;
  MHD_AcceptPolicyCallback _Nonnull admits;
  MHD_AccessHandlerCallback _Nonnull handles;
  void *_Nullable (*_Nonnull begins)(void *_Nullable context, const char *_Nullable target,
                                     struct MHD_Connection *_Nonnull connection);
  MHD_RequestCompletedCallback _Nonnull completes;
  MHD_NotifyConnectionCallback _Nonnull connects;
  const struct passkey_log *_Nonnull log;
  size_t (*_Nonnull unescapes)(void *_Nullable context, struct MHD_Connection *_Nullable connection,
                               char *_Nonnull text);
};

// Creates a descriptor that wakes the daemons started with it, or returns -1.
static inline int passkey_make_waker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void passkey_wake(int waker) { (void)eventfd_write(waker, 1); }

static inline struct MHD_Daemon *_Nullable passkey_start_daemon(const struct passkey_daemon_settings *_Nonnull settings) {
  void *context = settings->context;
  struct MHD_OptionItem options[16];
  size_t count = 0;
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  // First, so that the library writes nothing to standard error.
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)passkey_report, (void *)settings->log};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, settings->listening_socket, NULL};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_TIMEOUT, settings->inactivity_seconds, NULL};
  options[count++] =
      (struct MHD_OptionItem){MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->memory_per_connection, NULL};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->begins, context};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completes, context};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connects, context};
  options[count++] = (struct MHD_OptionItem){MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)settings->unescapes, context};
  if (settings->certificate && settings->key) {
    flags |= MHD_USE_TLS;
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key};
    options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->priorities};
  }
  options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
  struct MHD_Daemon *daemon = MHD_start_daemon(flags, 0, settings->admits, context, settings->handles, context,
                                               MHD_OPTION_ARRAY, options, MHD_OPTION_END);
  if (!daemon) return NULL;
  // Without threads of its own, version 0.9.75 does not wake when a connection is resumed. The library ignores an event
  // without a pointer.
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  if (info && !epoll_ctl(info->epoll_fd, EPOLL_CTL_ADD, settings->waker, &event)) return daemon;
  MHD_stop_daemon(daemon);  // Closes the listening socket.
  return NULL;
}

// The socket of a connection, or -1.
static inline MHD_socket passkey_connection_socket(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The peer's address, or null.
static inline const struct sockaddr *_Nullable passkey_connection_peer(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

// The value that was stored for a connection at its start.
static inline void *_Nullable passkey_connection_context(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// The number of bytes of the request line and the header fields.
static inline size_t passkey_request_header_size(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// The value of Content-Length in the header fields read so far, and its length; null without one.
static inline const char *_Nullable passkey_content_length(struct MHD_Connection *_Nonnull connection,
                                                           size_t *_Nonnull count) {
  const char *value = NULL;
  enum MHD_Result found = MHD_lookup_connection_value_n(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH,
                                                        sizeof MHD_HTTP_HEADER_CONTENT_LENGTH - 1, &value, count);
  return found == MHD_YES ? value : NULL;
}

// The status of the queued response, or 0.
static inline unsigned int passkey_response_status(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
  return info ? info->http_status : 0;
}

// Reports every header field in the received sequence.
static inline int passkey_each_header(struct MHD_Connection *_Nonnull connection,
                                      MHD_KeyValueIteratorN _Nonnull visit, void *_Nullable context) {
  return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit, context);
}

// Creates a response with a copy of the body.
static inline struct MHD_Response *_Nullable passkey_make_response(const void *_Nullable body, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)body, MHD_RESPMEM_MUST_COPY);
}
