// SPDX-License-Identifier: Apache-2.0
// The list of public suffixes, as libpsl reads it.
#pragma once

#include <libpsl.h>
