# shellcheck shell=bash disable=SC2034  # The scripts that source this file use `programs` and `caller`.
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts, in the project's folder: help, errors and builds.
#
# Sets `builds`, the folder of builds: .build, or BUILD_SCRATCH.

script=$(basename "$0" .bash)
# The scripts have changed to the project's folder. Names in their arguments are relative to the caller's.
caller=${OLDPWD:-$PWD}
script_file=$(cd "$caller" && realpath "$0")
builds=${BUILD_SCRATCH:-.build}
# Package.swift adds the laboratory.
export PASSKEY_LAB=1

# explain: prints the comment at the top of the script.
explain() { sed -n '4,/^$/s/^# \{0,1\}//p' "$script_file"; }

# stop WORDS [HINT]: ends the script with an error.
stop() {
  printf '%s: error: %s\n' "$script" "$1" >&2
  if (($# > 1)); then printf '%s: hint: %s\n' "$script" "$2" >&2; fi
  exit 1
}

# refuse WORDS: ends the script because of its arguments.
refuse() {
  printf '%s: error: %s\n' "$script" "$1" >&2
  explain >&2
  exit 2
}

# build PRODUCT…: builds programs, and prints the compiler's output if that fails. Sets `programs`, their folder.
build() {
  local product log=$builds/$script-build.log
  mkdir -p "$builds"
  # passkey runs passkey-lab for some of its commands.
  if [[ " $* " == *" passkey "* ]]; then set -- "$@" passkey-lab; fi
  for product; do
    swift build --scratch-path "$builds" "${build_options[@]}" --product "$product" >"$log" 2>&1 || {
      cat "$log" >&2
      stop "$product does not build"
    }
  done
  programs=$(swift build --scratch-path "$builds" "${build_options[@]}" --show-bin-path)
}
build_options=()

case ${1:-} in
-h | --help)
  explain
  exit
  ;;
esac
