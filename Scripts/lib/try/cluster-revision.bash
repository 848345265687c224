# shellcheck shell=bash disable=SC2154  # The script that sources this file sets the variables.
# SPDX-License-Identifier: Apache-2.0
#
# Builds the server of an earlier revision. Sourced by Scripts/try cluster.

# server_of_revision REVISION: prints the path of the passkey-server of a revision. Builds it unless it was built before.
server_of_revision() {
  local commit kept folder
  commit=$(git rev-parse --verify "$1^{commit}") || return 1
  kept=$project/.build/revisions/$commit/$configuration
  if [[ ! -x $kept/passkey-server ]]; then
    folder=$(mktemp -d "${TMPDIR:-/tmp}/passkey-revision.XXXXXX")
    echo "try-cluster: building passkey-server of $(git log -1 --format='%h, %ad' --date=short "$commit")" >&2
    # A clone of its own: SwiftPM would build the changed files of this one.
    if git clone --quiet --shared --no-checkout . "$folder" && git -C "$folder" checkout --quiet --detach "$commit" &&
      swift build --package-path "$folder" --configuration "$configuration" --product passkey-server >&2; then
      mkdir -p "$kept"
      mv "$folder/.build/$configuration/passkey-server" "$kept/"
    fi
    rm -rf "$folder"
  fi
  [[ -x $kept/passkey-server ]] && echo "$kept/passkey-server"
}
