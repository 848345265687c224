#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests against other projects' software. `passkey verify` verifies responses of soft_fido2 and python-fido2; `passkey`
# registers and signs in with servers built on py_webauthn and python-fido2, one of them with Yapt's routes, and with
# `passkey-server` by each profile; jsonschema and openapi-spec-validator check the profiles, the OpenAPI documents and the
# responses of `passkey-server`. The last line is "N passed, N failed".
#
#   Scripts/interop-clients

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/interop-environment
source Scripts/interop-environment

# shellcheck source=Scripts/interop-certificate
source Scripts/interop-certificate

# The servers act as https://raxx.app.
make_certificate "$scratch" raxx.app

passed=0 failed=0
# run NAME COMMAND…: prints the output except the last line, whose counts are added up.
run() {
  local name=$1 log=$scratch/log status=0 counts
  shift
  timeout 600 "$@" >"$log" 2>&1 || status=$?
  counts=$(tail -n 1 "$log")
  if [[ ! $counts =~ ^[0-9]+\ passed,\ [0-9]+\ failed$ ]] || { ((status != 0)) && [[ $counts == *", 0 failed" ]]; }; then
    # It ended early, so its counts are incomplete.
    tail -n 20 "$log"
    counts="0 passed, 1 failed"
  elif ((status != 0)); then
    grep FAILED "$log"
  fi
  echo "$name: $counts"
  local run_passed run_failed
  read -r run_passed run_failed < <(sed -E 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/' <<<"$counts")
  passed=$((passed + run_passed)) failed=$((failed + run_failed))
}

export PYTHONPATH=Tests/Interop PASSKEY_DEVICE="$passkey authenticator --stdio --memory"
run "clients of others" "$python" Tests/Interop/clients.py "$passkey"
run "passkey and servers of others" "$python" Tests/Interop/handshake.py \
  "$passkey" "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
run "passkey and Yapt's routes on py_webauthn" "$python" Tests/Interop/yapt.py \
  "$passkey" "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
swift build --product passkey-server >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log" >&2; exit 1; }
server=$(swift build --show-bin-path)/passkey-server
run "passkey and the profiles of passkey-server" "$python" Tests/Interop/profiles.py \
  "$passkey" "$server" "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
run "passkey-server's profiles and descriptions" "$python" Tests/Interop/description.py "$server"

echo "$passed passed, $failed failed"
((passed > 0 && failed == 0))
