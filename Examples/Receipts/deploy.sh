#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command only if a receipt proves that a deployer confirmed the commit that is checked out.
#
#   passkey step-up --server https://raxx.app --receipt deploy.receipt POST "/deployments/$(git rev-parse HEAD)"
#   RECEIPT_RP_ID=raxx.app RECEIPT_LOG_KEY="$(cat log.vkey)" DEPLOYERS=deployers ./deploy.sh deploy.receipt ./install
#
# DEPLOYERS names a file with one public key per line, as passkey receipt show prints it. Keep it and the log's key where the
# sender of a receipt cannot change them. A receipt is for one commit, and can be used for it again. Exits with 7 if it proves
# something else.

set -eu
: "${RECEIPT_RP_ID:?is not set}" "${RECEIPT_LOG_KEY:?is not set}" "${DEPLOYERS:?is not set}"
[ $# -ge 2 ] || { echo "usage: deploy.sh RECEIPT COMMAND [ARGUMENT…]" >&2; exit 2; }
receipt=$1
shift

commit=$(git rev-parse --verify HEAD)
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "deploy.sh: error: tracked files differ from commit $commit" >&2
  exit 1
fi

keys=$(sed -n 's/^[A-Za-z0-9_-]\{1,\}$/--public-key &/p' "$DEPLOYERS")
[ -n "$keys" ] || { echo "deploy.sh: error: $DEPLOYERS has no public key" >&2; exit 1; }
# shellcheck disable=SC2086 # words without spaces
passkey receipt verify --rp-id "$RECEIPT_RP_ID" --key "$RECEIPT_LOG_KEY" $keys "$receipt" POST "/deployments/$commit" >&2
exec "$@"
