// SPDX-License-Identifier: Apache-2.0
// Counts what the calling thread asks of malloc and its kin between a start and a stop.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts at all.
bool allocation_counter_is_counting(void);

/// The bytes asked for since the thread began; only grows. What is freed is not taken off.
uint64_t allocation_counter_bytes(void);

/// The calls that asked for them.
uint64_t allocation_counter_calls(void);

/// The bytes that the process has allocated and not freed.
uint64_t allocation_counter_live_bytes(void);
