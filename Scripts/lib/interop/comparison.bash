#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes Lab/Documentation/Comparison.md: the project's vectors, verified by `passkey` and by other implementations.
#
#   Scripts/interop comparison [--check | --speed]
#
#   --check  compare the page with a new one, except for dates and speeds, and change nothing; the last line is
#            "N passed, N failed"
#   --speed  also measure the libraries' speed; the page keeps the last figures otherwise

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

page=Lab/Documentation/Comparison.md
check=false speed=false
case ${1:-} in
'') ;;
--check) check=true ;;
--speed) speed=true ;;
*) refuse "unknown argument $1" ;;
esac
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash

status=0
PATH=${python%/*}:$PWD/Lab/Adapters:$PATH "$passkey" verify --against py_webauthn --against python-fido2 --time-limit 60s \
  --markdown --notes Lab/Documentation/Comparison.notes.json Vectors/*.json >"$scratch/page" 2>"$scratch/errors" || status=$?
# Disagreements are the content of the page.
if ((status != 0)) && ! grep -q 'the implementations disagree' "$scratch/errors"; then
  cat "$scratch/errors" >&2
  if $check; then echo "0 passed, 1 failed"; fi
  exit 1
fi

if ! $check; then
  echo >>"$scratch/page"
  if $speed; then
    build_options=(--configuration release)
    build Benchmarks
    PYTHONPATH=Lab/Adapters "$python" -B Scripts/lib/interop/speed.py "$programs/Benchmarks" >>"$scratch/page"
  else
    sed -n '/^## Speed/,$p' "$page" >>"$scratch/page"
  fi
  cp "$scratch/page" "$page"
  exit
fi

# undated FILE: the page without the date, without the versions of Python and without speeds.
undated() { sed -E '/^## Speed/,$d; s/generated on [0-9-]+/generated/; s/Python [0-9.]+/Python/' "$1" | sed '${/^$/d}'; }
if diff <(undated "$page") <(undated "$scratch/page"); then
  echo "1 passed, 0 failed"
else
  echo "comparison: error: $page is not current: run Scripts/interop comparison" >&2
  echo "0 passed, 1 failed"
  exit 1
fi
