// SPDX-License-Identifier: Apache-2.0
// Counts the allocations and the SQLite statements of a server. Scripts/bench compiles it, and LD_PRELOAD loads it.
//
// PASSKEY_BENCH_COUNTS names a file with two 64-bit counters: allocations, then statements.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct counts {
  _Atomic uint64_t allocations;
  _Atomic uint64_t statements;
};

static struct counts own;
static struct counts *counts = &own;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("PASSKEY_BENCH_COUNTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared != MAP_FAILED) counts = shared;
}

static inline void count(_Atomic uint64_t *counter) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

// glibc keeps its own functions under a second name.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count(&counts->allocations);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(&counts->allocations);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(&counts->allocations);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count(&counts->allocations);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

// A statement ends with a reset.
int sqlite3_reset(void *statement) {
  static int (*next)(void *);
  if (next == NULL) next = (int (*)(void *))dlsym(RTLD_NEXT, "sqlite3_reset");
  count(&counts->statements);
  return next(statement);
}
