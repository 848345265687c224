// SPDX-License-Identifier: Apache-2.0
// What Swift needs of libcrypto and cannot import by itself: macros, casts and variadic functions.
#pragma once

#include <openssl/crypto.h>
#include <openssl/evp.h>
