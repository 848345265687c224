#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Verifies responses of `passkey authenticator` with other projects' servers, py_webauthn and python-fido2, and with
# `passkey verify`. Runs one device for each kind of attestation and each backup state, with all of its algorithms and flags,
# and U2F. The last line is "N passed, N failed".
#
#   Scripts/interop servers [--short]
#
#   --short  one device for each kind of attestation, each with another backup state

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash

short=false
case ${1:-} in
'') ;;
--short) short=true ;;
*) refuse "unknown argument $1" ;;
esac

"$passkey" authenticator --attestation-root >"$scratch/root.pem"

# run TRANSPORT ATTESTATION BACKUP: runs one device and prints the counts for its responses.
run() {
  local transport=$1 attestation=$2 backup=$3 kind=passkey-provider log=$scratch/$1-$2-$3.log status=0
  if [[ $backup == bound ]]; then kind=security-key; fi
  PYTHONPATH=Tests/Interop PASSKEY_DEVICE="$passkey authenticator --$transport --memory --kind $kind --backup $backup \
    --attestation ${attestation/enterprise/batch} --enterprise-rp-id raxx.app" \
    timeout 300 "$python" Tests/Interop/servers.py "$passkey" "$attestation" "$backup" "$scratch/root.pem" \
    >"$log" 2>&1 || status=$?
  add "$transport, $attestation, $backup" "$status" "$log"
}

devices=("hid batch bound")
if $short; then
  devices+=("stdio none backed-up" "stdio self eligible" "stdio enterprise bound")
else
  for attestation in none self batch enterprise; do
    for backup in bound eligible backed-up; do devices+=("stdio $attestation $backup"); done
  done
fi

# Runs one device per processor.
limit=$(nproc)
for device in "${devices[@]}"; do
  while (($(jobs -rp | wc -l) >= limit)); do wait -n; done
  # shellcheck disable=SC2086  # Three words.
  run $device >"$scratch/${device// /-}.result" &
done
wait

for device in "${devices[@]}"; do
  result=$scratch/${device// /-}.result
  cat "$result"
  read -r run_passed run_failed < <(sed -nE '$s/.*: ([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$result") ||
    read -r run_passed run_failed <<<"0 1"
  passed=$((passed + run_passed)) failed=$((failed + run_failed))
done
finish
