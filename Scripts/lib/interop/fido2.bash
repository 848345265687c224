#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the device tests of Yubico's python-fido2 against `passkey authenticator`, with messages and with CTAPHID reports, file
# by file and in one run. A skipped test counts as failed. The last line is "N passed, N failed".
#
#   Scripts/interop fido2 [--short | PYTEST-ARGUMENT…]
#
#   --short             one run of each kind only
#   PYTEST-ARGUMENT…    one run of each kind with these arguments
#   PASSKEY_LAUNCHER    environment variable: a command that starts the device, such as another system's loader
#
# The tests are in the library's source archive under .build/interop. Tests of previewSign, an extension that the device does
# not have, are not counted.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash

# run TRANSPORT NAME [PYTEST-ARGUMENT…]: one run with a device in factory state.
run() {
  local transport=$1 name=$2 place=$scratch/$1 status=0 counts
  local report=$place/report.xml log=$place/log
  shift 2
  rm -rf "$place"
  mkdir "$place"
  (
    cd "$suite"
    PYTHONPATH=$OLDPWD/Tests/Interop \
      PASSKEY_DEVICE="${PASSKEY_LAUNCHER:-} $passkey authenticator --$transport --vault $place/vault --no-passphrase --vault-cost test --enterprise-rp-id enterprise.example" \
      timeout 900 "$python" -m pytest -p passkey_device -p no:cacheprovider --quiet --no-header --ep-rp-id enterprise.example \
      --junit-xml "$report" -k 'not preview_sign and not sign_extension' "$@"
  ) >"$log" 2>&1 || status=$?
  counts=$("$python" - "$report" <<'PYTHON' || echo "0 1"
import sys
import xml.etree.ElementTree as xml

suite = xml.parse(sys.argv[1]).getroot().find("testsuite")
failed = sum(int(suite.get(count)) for count in ("failures", "errors", "skipped"))
print(int(suite.get("tests")) - failed, failed)
PYTHON
  )
  local run_passed run_failed
  read -r run_passed run_failed <<<"$counts"
  if ((status != 0 && status != 5 && run_failed == 0)); then run_failed=1; fi
  if ((run_failed > 0)); then grep -E '^(E  |FAILED|ERROR|SKIPPED)|passkey: ' "$log" | tail -n 40; fi
  echo "$transport, $name: $run_passed passed, $run_failed failed"
}

# run_all TRANSPORT [PYTEST-ARGUMENT…]: every run with one transport.
run_all() {
  local transport=$1 file
  shift
  if (($# > 0)); then
    run "$transport" "as asked" "$@"
    return
  fi
  run "$transport" "all in one go" tests/device
  if $short; then return; fi
  for file in "$suite"/tests/device/test_*.py; do
    case $file in *preview_sign* | *sign_extension*) continue ;; esac
    run "$transport" "$(basename "$file")" "tests/device/$(basename "$file")"
  done
}

short=false
if [[ ${1:-} == --short ]]; then short=true; shift; fi
# Side by side: the tests often wait.
for transport in stdio hid; do run_all "$transport" "$@" >"$scratch/$transport.result" & done
wait
for transport in stdio hid; do
  cat "$scratch/$transport.result"
  while read -r run_passed run_failed; do
    passed=$((passed + run_passed)) failed=$((failed + run_failed))
  done < <(sed -nE 's/^[a-z]+, .*: ([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$scratch/$transport.result")
done
finish
