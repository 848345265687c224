# shellcheck shell=bash disable=SC2154  # The script that sources this file sets `scratch`.
# SPDX-License-Identifier: Apache-2.0
#
# Adds up the counts of programs whose last line is "N passed, N failed". Sourced by scripts that run several.

passed=0 failed=0

# counted STATUS LOG: prints "N N", passed and failed, of a program that has ended. Without counts it ended early, which is a
# failure.
counted() {
  local counts
  counts=$(sed -nE '$s/^([0-9]+) passed, ([0-9]+) failed(, [0-9]+ skipped)?$/\1 \2/p' "$2")
  if [[ -z $counts ]] || { (($1 != 0)) && [[ $counts == *" 0" ]]; }; then counts="0 1"; fi
  echo "$counts"
}

# add NAME STATUS LOG: adds the counts of a program, and prints them below its failures.
add() {
  local name=$1 status=$2 log=$3 run_passed run_failed
  read -r run_passed run_failed < <(counted "$status" "$log")
  if ((run_failed > 0)); then grep -E 'FAILED|^not ok' "$log" | head -n 20 || tail -n 20 "$log"; fi
  echo "$name: $run_passed passed, $run_failed failed"
  passed=$((passed + run_passed)) failed=$((failed + run_failed))
}

# count NAME SECONDS COMMAND…: runs a program, for this long at most, and adds its counts.
count() {
  local name=$1 limit=$2 status=0 log=$scratch/count.log
  shift 2
  timeout --kill-after 10 "$limit" "$@" >"$log" 2>&1 || status=$?
  add "$name" "$status" "$log"
}

# finish: prints the sum, and fails unless something passed and nothing failed.
finish() {
  echo "$passed passed, $failed failed"
  ((passed > 0 && failed == 0))
}
