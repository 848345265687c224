// SPDX-License-Identifier: Apache-2.0
// The public suffix list of libpsl.
#pragma once

#include <libpsl.h>
