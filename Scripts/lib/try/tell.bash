# shellcheck shell=bash disable=SC2154  # The script that sources this file sets `work`, a temporary folder.
# SPDX-License-Identifier: Apache-2.0
#
# Tests of one line each. Sourced after Scripts/lib/counts.bash.

# tell WORDS COMMAND…: counts whether the command succeeds, and prints its output if it does not.
tell() {
  local words=$1
  shift
  if "$@" >"$work/told" 2>&1; then
    echo "ok: $words"
    passed=$((passed + 1))
  else
    echo "not ok: $words"
    tail -n 20 "$work/told" | sed 's/^/  /'
    failed=$((failed + 1))
  fi
}

# For tell.
isnt() { ! "$@"; }
equals() { [[ $1 == "$2" ]] || { printf '%s\nexpected: %s\n' "$1" "$2"; return 1; }; }
