// SPDX-License-Identifier: Apache-2.0
// Parts of libcurl that Swift cannot import: variadic functions, with one wrapper for each kind of value, and macros.
#pragma once

#include <curl/curl.h>
#include <locale.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

static inline CURLcode passkey_curl_start(void) { return curl_global_init(CURL_GLOBAL_ALL); }

static inline CURLcode passkey_curl_set_number(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode passkey_curl_set_size(CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode passkey_curl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode passkey_curl_set_bytes(CURL *_Nonnull handle, CURLoption option, const void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode passkey_curl_set_list(CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode passkey_curl_set_context(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*passkey_curl_data_callback)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode passkey_curl_set_data_callback(
    CURL *_Nonnull handle, CURLoption option, passkey_curl_data_callback _Nonnull callback) {
  return curl_easy_setopt(handle, option, callback);
}

typedef int (*passkey_curl_ready_callback)(
    void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remote_port, int local_port);

static inline CURLcode passkey_curl_set_ready_callback(
    CURL *_Nonnull handle, passkey_curl_ready_callback _Nonnull callback) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode passkey_curl_get_number(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode passkey_curl_get_offset(CURL *_Nonnull handle, CURLINFO info, curl_off_t *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode passkey_curl_get_text(
    CURL *_Nonnull handle, CURLINFO info, char *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode passkey_curl_get_socket(CURL *_Nonnull handle, curl_socket_t *_Nonnull value) {
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode passkey_curl_get_list(
    CURL *_Nonnull handle, CURLINFO info, struct curl_slist *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

// Returns the handle of a complete transfer, and its result, or null if no other transfer is complete.
static inline CURL *_Nullable passkey_curl_take_result(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left = 0;
  const CURLMsg *message = curl_multi_info_read(multi, &left);
  while (message && message->msg != CURLMSG_DONE) message = curl_multi_info_read(multi, &left);
  if (!message) return 0;
  *result = message->data.result;
  return message->easy_handle;
}

typedef curl_socket_t (*passkey_curl_socket_callback)(
    void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nullable address);

static inline CURLcode passkey_curl_set_socket_callback(
    CURL *_Nonnull handle, passkey_curl_socket_callback _Nonnull callback) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline curl_socket_t passkey_curl_no_socket(void) { return CURL_SOCKET_BAD; }

static inline curl_socket_t passkey_curl_open_socket(const struct curl_sockaddr *_Nonnull address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Copies the four or sixteen bytes of an IP address. Returns their number, or 0 for other kinds of addresses.
static inline int passkey_curl_copy_address(
    const struct curl_sockaddr *_Nonnull address, unsigned char *_Nonnull bytes) {
  // The address follows the port, and in IPv6 the flow label.
  int start = address->family == AF_INET ? 4 : 8;
  int count = address->family == AF_INET ? 4 : address->family == AF_INET6 ? 16 : 0;
  memcpy(bytes, (const unsigned char *)&address->addr + start, (size_t)count);
  return count;
}

// Returns the host of a URL in ASCII. libcurl reads text in the thread's locale, and the initial locale is ASCII only.
static inline CURLUcode passkey_curl_get_ascii_host(CURLU *_Nonnull url, char *_Nullable *_Nonnull host) {
  locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!unicode) return CURLUE_LACKS_IDN;
  locale_t before = uselocale(unicode);
  CURLUcode code = curl_url_get(url, CURLUPART_HOST, host, CURLU_PUNYCODE);
  uselocale(before);
  freelocale(unicode);
  return code;
}

// Creates a timer of CLOCK_MONOTONIC. Returns its descriptor, or -1.
static inline int passkey_curl_make_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

// Sets a timer to a moment of CLOCK_MONOTONIC in nanoseconds. Zero stops it.
static inline int passkey_curl_set_timer(int timer, long long moment) {
  struct itimerspec setting = {.it_value = {.tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, 0);
}

// Waits for the sockets of the handle, for a timer, or for at most this many milliseconds.
static inline CURLMcode passkey_curl_poll_with_timer(CURLM *_Nonnull multi, int timer, int milliseconds) {
  struct curl_waitfd wait = {.fd = timer, .events = CURL_WAIT_POLLIN};
  return curl_multi_poll(multi, &wait, 1, milliseconds, 0);
}
