#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The cross-origin rule of `passkey-server` with real clients: pages in a headless Chromium (installed from Debian), curl,
# urllib, httpx, and libcurl in `passkey`. Takes about a minute. The last line is "N passed, N failed".
#
#   Scripts/interop origins

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
Scripts/setup chromium chromium-driver curl >/dev/null
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash

build passkey-server
make_certificate raxx.app app.raxx.app www.raxx.app stranger.example localhost
export PYTHONPATH=Tests/Interop
timeout --kill-after 10 300 "$python" Tests/Interop/origins.py "$passkey" "$programs/passkey-server" \
  "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
