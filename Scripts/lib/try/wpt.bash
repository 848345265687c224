#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests of WebAuthn in W3C's web-platform-tests in a headless Chromium (installed from Debian): with the extension of
# `passkey browser` and, for comparison, with Chromium's virtual authenticator. DIR is a checkout of web-platform-tests with at
# least the folders webauthn, resources and interfaces; it is only read. FILTER is a regular expression of paths. Takes a few
# minutes. Lab/Documentation/WebPlatformTests.md explains the failures. The last line is "N passed, N failed".
#
#   Scripts/try wpt DIR [FILTER]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
checkout=$(cd "$caller" && realpath "${1:-.}")
[[ -d $checkout/webauthn && -d $checkout/resources ]] || refuse "no checkout of web-platform-tests"
Scripts/setup chromium >/dev/null
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash

make_certificate web-platform.test '*.web-platform.test'
export PYTHONPATH=Tests/Interop
timeout --kill-after 10 1800 "$python" Tests/Interop/wpt.py "$passkey" "$(command -v chromium)" "$scratch/server.pem" \
  "$scratch/server.key" "$checkout" "${@:2}"
