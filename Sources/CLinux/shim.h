// SPDX-License-Identifier: Apache-2.0
// What Swift needs of Linux and cannot import by itself: a function with a variable number of arguments.
#pragma once

#include <sys/prctl.h>

// Refuses core files and other processes of the same user that trace or read this one. Returns 0 on success.
static inline int passkey_refuse_tracing(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }
