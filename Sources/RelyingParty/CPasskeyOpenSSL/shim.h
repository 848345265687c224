// SPDX-License-Identifier: Apache-2.0
// What Swift needs of libcrypto and cannot import by itself: macros, casts and variadic functions.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Selections of EVP_PKEY_fromdata: macros made of macros.
static const int passkey_select_public_key = EVP_PKEY_PUBLIC_KEY;
static const int passkey_select_key_pair = EVP_PKEY_KEYPAIR;
