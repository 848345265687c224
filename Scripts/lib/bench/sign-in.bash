#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the time of `passkey sign-in` against a local server, with a vault whose scrypt cost is that of tests, and the
# time that `passkey` takes to start. Prints medians without the server's time.
#
#   Scripts/bench --sign-in [ROUNDS]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
rounds=${1:-31}

Scripts/setup >&2
build_options=(--configuration release)
build passkey passkey-server
PATH=$programs:$PATH

place=$(mktemp -d)
server=
cleanup() {
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  rm -rf "$place"
}
trap cleanup EXIT
cd "$place"
passkey-server --listen 127.0.0.1:0 --access-log /dev/null --ceremonies-per-minute 100000 \
  --ceremonies-per-account 100000 2>told &
server=$!
for _ in {1..100}; do
  grep --quiet serving told && break
  sleep 0.1
done
PASSKEY_SERVER=$(sed -n 's/.*serving .* at //p' told)
export PASSKEY_SERVER PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault PASSKEY_PASSPHRASE=bench
export XDG_STATE_HOME=$place/state
passkey register --user ada@raxx.app --yes --vault-cost test >/dev/null

# median COMMAND…: prints the median CPU time and wall-clock time in milliseconds.
median() {
  local round TIMEFORMAT='%3U %3S %3R'
  for ((round = 0; round < rounds; round++)); do
    { time "$@" >/dev/null 2>&1; } 2>>taken
  done
  awk '{ print ($1 + $2) * 1000 }' taken | sort --numeric-sort | sed -n "$((rounds / 2 + 1))p" >processor
  awk '{ print $3 * 1000 }' taken | sort --numeric-sort | sed -n "$((rounds / 2 + 1))p" >clock
  rm taken
}

median passkey --version
printf 'start     %4s ms of processor, %4s ms (limit 15)\n' "$(<processor)" "$(<clock)"
median passkey sign-in --yes --user ada@raxx.app
printf 'sign-in   %4s ms of processor, %4s ms (limit 60 of processor)\n' "$(<processor)" "$(<clock)"
