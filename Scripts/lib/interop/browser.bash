#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Registers and signs in from a page in a headless Chromium (installed from Debian), with the extension of `passkey browser`, at
# servers with py_webauthn and python-fido2. Takes about a minute. The last line is "N passed, N failed".
#
#   Scripts/interop browser

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
Scripts/setup chromium >/dev/null
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash

make_certificate raxx.app
export PYTHONPATH=Tests/Interop
timeout --kill-after 10 600 "$python" Tests/Interop/browser.py "$passkey" "$(command -v chromium)" "$scratch/server.pem" \
  "$scratch/server.key"
