// SPDX-License-Identifier: Apache-2.0
// zlib's DEFLATE.
#pragma once

#include <zlib.h>
