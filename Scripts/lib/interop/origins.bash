#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The cross-origin rule of `passkey-server` with real clients: pages in a headless Chromium (installed from Debian), curl,
# urllib, httpx, and libcurl in `passkey`. Takes about a minute. The last line is "N passed, N failed".
#
#   Scripts/interop-origins

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
Scripts/setup chromium chromium-driver curl >/dev/null
# shellcheck source=Scripts/interop-environment
source Scripts/interop-environment
# shellcheck source=Scripts/interop-certificate
source Scripts/interop-certificate

swift build --product passkey-server >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log" >&2; exit 1; }
make_certificate "$scratch" raxx.app app.raxx.app www.raxx.app stranger.example localhost
export PYTHONPATH=Tests/Interop
timeout --kill-after 10 300 "$python" Tests/Interop/origins.py "$passkey" "$(swift build --show-bin-path)/passkey-server" \
  "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
