#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Audits Examples/FaultyRelyingParty without faults many times, by all checks. A check that fails is a false positive. The
# runs have different keys, lifetimes, limits and orders of checks; every second one has TLS. The number of a run decides
# them, so that a run can be repeated. Scripts/test makes the first two.
#
#   Scripts/audit-clean [RUNS [FIRST]]   makes RUNS runs (20), with the numbers from FIRST (1)
#
# Builds the tests in release mode. Prints the totals and the checks that could not tell, also after Ctrl-C. It fails if a
# run failed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-20} first=${2:-1}
if ! [[ $runs =~ ^[1-9][0-9]{0,6}$ && $first =~ ^[1-9][0-9]{0,6}$ ]]; then
  sed -n '3,/^$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi

Scripts/setup >&2
options=(--scratch-path .build-long --configuration release -Xswiftc -enable-testing)
mkdir -p .build-long
export PASSKEY_TEST_TARGETS=PasskeyAuditTests NO_COLOR=1
export PASSKEY_AUDIT_CLEAN=$first-$((first + runs - 1))
echo "audit-clean: building" >&2
swift build --build-tests "${options[@]}" >.build-long/audit-clean-build.log 2>&1 || {
  cat .build-long/audit-clean-build.log >&2
  exit 1
}
bundle=$(swift build --show-bin-path "${options[@]}" 2>/dev/null)/passkeyPackageTests.xctest

log=.build-long/audit-clean-$PASSKEY_AUDIT_CLEAN.log
status=0
trap 'status=130' INT
echo "audit-clean: running; the results are in $log" >&2
"$bundle" --testing-library swift-testing --filter '^PasskeyAuditTests[.]CleanRunTests' >"$log" 2>&1 || status=$?
grep -E '^(✘ .* recorded an issue|↳ run )' "$log" || true
awk '
  $1 == "clean-run" {
    for (i = 3; i <= NF; i++) {
      split($i, part, "=")
      if (part[1] == "untold") {
        number = split(part[2], ids, ",")
        for (j = 1; j <= number; j++) untold[ids[j]]++
      } else if (part[1] == "failed") {
        failed += split(part[2], ids, ",")
      } else sum[part[1]] += part[2]
    }
    runs++
  }
  END {
    printf "runs: %d\nchecks judged: %d\nfailed: %d\nrequests: %d\n", runs, sum["judged"], failed, sum["requests"]
    if (runs > 0) printf "seconds of a run: %.1f\n", sum["milliseconds"] / runs / 1000
    for (id in untold) printf "cannot tell: %s %d\n", id, untold[id] | "sort"
  }' "$log"
exit "$status"
