// SPDX-License-Identifier: Apache-2.0
// DEFLATE, as zlib has it.
#pragma once

#include <zlib.h>
