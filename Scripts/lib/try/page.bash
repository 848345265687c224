# shellcheck shell=bash disable=SC2034  # The scripts that source this file use `blocks`.
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by scripts that run the commands of a page.

# page_commands PAGE: sets `blocks`, the shell blocks of a page of the documentation.
page_commands() {
  mapfile -d '' blocks < <(awk '
    /^```$/ { if (inside) printf "%c", 0; inside = 0 }
    inside { printf "%s%s", separator, $0; separator = "\n" }
    /^```sh$/ { inside = 1; separator = "" }
  ' "$1")
}
