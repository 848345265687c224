// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in for a program that brings its own main; the toolchain's runtime has it and no header declares it.
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*property)(const uint8_t *data, size_t size));
