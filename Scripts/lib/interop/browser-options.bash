#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Gives some 320 options of ceremonies to a page in a headless Chromium (installed from Debian) and to `passkey create` and `passkey
# get`: both must make the same of them. Takes about a minute. The last line is "N passed, N failed".
#
#   Scripts/interop browser-options

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
Scripts/setup chromium >/dev/null
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash

make_certificate raxx.app
export PYTHONPATH=Tests/Interop
timeout --kill-after 10 600 "$python" Tests/Interop/browser_options.py "$passkey" "$(command -v chromium)" "$scratch/server.pem" \
  "$scratch/server.key"
