// SPDX-License-Identifier: Apache-2.0
// Two ways to see every allocation of the process. Linked into tests and benchmarks, never into a product.

#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

// A thread's own, and in the executable: reading them takes no lock and allocates nothing.
static __thread uint64_t bytes;
static __thread uint64_t calls;

static inline void count(size_t size) {
  bytes += size;
  calls += 1;
}

uint64_t allocation_counter_bytes(void) { return bytes; }
uint64_t allocation_counter_calls(void) { return calls; }

#if SANITIZED

// A sanitizer has its own allocator, which calls these hooks.

extern int __sanitizer_install_malloc_and_free_hooks(
    void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *));

static bool counting;

static void allocated(const volatile void *memory, size_t size) {
  (void)memory;
  count(size);
}

static void freed(const volatile void *memory) { (void)memory; }

__attribute__((constructor)) static void start(void) {
  counting = __sanitizer_install_malloc_and_free_hooks(allocated, freed) > 0;
}

bool allocation_counter_is_counting(void) { return counting; }

extern size_t __sanitizer_get_current_allocated_bytes(void);

uint64_t allocation_counter_live_bytes(void) { return __sanitizer_get_current_allocated_bytes(); }

#elif defined(__GLIBC__)

// An executable's own malloc takes the place of the C library's for the whole process, and glibc keeps its own under a
// second name. So each function here counts and passes on.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  size_t product;
  count(__builtin_mul_overflow(number, size, &product) ? SIZE_MAX : product);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

void free(void *memory) { __libc_free(memory); }

bool allocation_counter_is_counting(void) { return true; }

uint64_t allocation_counter_live_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#else

uint64_t allocation_counter_live_bytes(void) { return 0; }

bool allocation_counter_is_counting(void) { return false; }

#endif
