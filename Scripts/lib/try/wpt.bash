#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests of WebAuthn in W3C's web-platform-tests in a headless Chromium (installed from Debian): with the extension of
# `passkey browser` and, for comparison, with Chromium's virtual authenticator. DIR is a checkout of web-platform-tests with at
# least the folders webauthn, resources and interfaces; it is only read. FILTER is a regular expression of paths. Takes a few
# minutes. Documentation/WebPlatformTests.md explains the failures. The last line is "N passed, N failed".
#
#   Scripts/try-wpt DIR [FILTER]

set -euo pipefail
[[ -d ${1:-}/webauthn && -d $1/resources ]] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
checkout=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
Scripts/setup chromium >/dev/null
# shellcheck source=Scripts/interop-environment
source Scripts/interop-environment
# shellcheck source=Scripts/interop-certificate
source Scripts/interop-certificate

make_certificate "$scratch" web-platform.test '*.web-platform.test'
export PYTHONPATH=Tests/Interop
timeout --kill-after 10 1800 "$python" Tests/Interop/wpt.py "$passkey" "$(command -v chromium)" "$scratch/server.pem" \
  "$scratch/server.key" "$checkout" "${@:2}"
