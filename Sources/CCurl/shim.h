// SPDX-License-Identifier: Apache-2.0
// What Swift needs of libcurl and cannot import by itself: functions with a variable number of arguments.
#pragma once

#include <curl/curl.h>

static inline CURLcode passkey_curl_set_number(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode passkey_curl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}
