// SPDX-License-Identifier: Apache-2.0
// Functions of Linux that Swift cannot import: variadic ones, and those that the C library hides without _GNU_SOURCE.
#pragma once

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// Disables core files, and tracing and reading by other processes of the same user. Returns 0 on success.
static inline int passkey_refuse_tracing(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

// From unistd.h, whose other declarations Swift imports with the C library.
extern long syscall(long number, ...);

// Accepts a connection; child processes never inherit it (accept4(2)).
static inline int passkey_accept(int listener) { return (int)syscall(SYS_accept4, listener, 0, 0, SOCK_CLOEXEC); }

// Makes a pipe (pipe2(2)): its ends are for reading and for writing. Child processes do not inherit them with O_CLOEXEC.
static inline int passkey_pipe(int *ends, int flags) { return (int)syscall(SYS_pipe2, ends, flags); }
