#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Audits Lab/FaultyRelyingParty with each of its faults, by all checks: the check of the fault fails, and no other.
# The merge tier runs only the checks of the fault's group and one check of each other group.
#
#   Scripts/audit matrix [FAULTS]   only faults whose IDs begin with one of FAULTS, separated by commas

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

PASSKEY_AUDIT_FULL=1 PASSKEY_AUDIT_FAULT=${1:-} \
  Scripts/test --optimized --tier night --filter '^PasskeyAuditTests[.](Ceremony|Service)MatrixTests'
