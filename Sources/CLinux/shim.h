// SPDX-License-Identifier: Apache-2.0
// A variadic function of Linux, which Swift cannot import.
#pragma once

#include <sys/prctl.h>

// Disables core files, and tracing and reading by other processes of the same user. Returns 0 on success.
static inline int passkey_refuse_tracing(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }
