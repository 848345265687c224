#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Audits Lab/FaultyRelyingParty without faults many times, by all checks. A check that fails is a false positive. The
# runs have different keys, lifetimes, limits and orders of checks; every second one has TLS. The number of a run decides
# them, so that a run can be repeated.
#
#   Scripts/audit clean [RUNS [FIRST]]   makes RUNS runs (20), with the numbers from FIRST (1)
#
# Prints the totals and the checks that could not tell.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

runs=${1:-20} first=${2:-1}
[[ $runs =~ ^[1-9][0-9]{0,6}$ && $first =~ ^[1-9][0-9]{0,6}$ ]] || refuse "RUNS and FIRST are numbers"

status=0
PASSKEY_AUDIT_CLEAN=$first-$((first + runs - 1)) Scripts/test --optimized --tier night --filter '^PasskeyAuditTests[.]CleanRunTests' ||
  status=$?
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
  }' .build-optimized/tests/parts/PasskeyAuditTests*.log
exit "$status"
