#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Audits Examples/FaultyRelyingParty with each of its faults, by all checks: the check of the fault fails, and no other.
# Scripts/test runs only the checks of the fault's group and one check of each other group.
#
#   Scripts/audit-matrix [FAULTS]   only faults whose IDs begin with one of FAULTS, separated by commas
#
# Builds the tests in release mode. Prints the faults that other checks found, too, or that none found.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
Scripts/setup >&2
options=(--scratch-path .build-long --configuration release -Xswiftc -enable-testing)
mkdir -p .build-long
export PASSKEY_TEST_TARGETS=PasskeyAuditTests NO_COLOR=1 PASSKEY_AUDIT_FULL=1 PASSKEY_AUDIT_FAULT=${1:-}
echo "audit-matrix: building" >&2
swift build --build-tests "${options[@]}" >.build-long/audit-matrix-build.log 2>&1 || {
  cat .build-long/audit-matrix-build.log >&2
  exit 1
}
bundle=$(swift build --show-bin-path "${options[@]}" 2>/dev/null)/passkeyPackageTests.xctest

log=.build-long/audit-matrix.log
status=0
echo "audit-matrix: running; the results are in $log" >&2
"$bundle" --testing-library swift-testing --filter '^PasskeyAuditTests[.](Ceremony|Service)MatrixTests' >"$log" 2>&1 ||
  status=$?
grep -E '^(✘ .* recorded an issue|↳ \[)' "$log" || true
tail -1 "$log"
exit "$status"
