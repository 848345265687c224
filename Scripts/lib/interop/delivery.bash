#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sends mails, webhooks and push messages to other projects' servers, which judge them and fail in many ways: aiosmtpd, h2, and
# the library of Standard Webhooks. The last line is "N passed, N failed".
#
#   Scripts/interop delivery

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

aiosmtpd_version=1.4.6
h2_version=4.4.1
standardwebhooks_version=1.1.0
pyjwt_version=2.15.1
folder=$PWD/.build/interop-delivery
python=$folder/python/bin/python

Scripts/setup python3-venv >/dev/null
needed="aiosmtpd $aiosmtpd_version, h2 $h2_version, standardwebhooks $standardwebhooks_version, pyjwt $pyjwt_version"
if [[ $(cat "$folder/installed" 2>/dev/null) != "$needed" ]]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  "$python" -m pip --quiet --disable-pip-version-check install "aiosmtpd==$aiosmtpd_version" "h2==$h2_version" \
    "standardwebhooks==$standardwebhooks_version" "pyjwt[crypto]==$pyjwt_version"
  echo "$needed" >"$folder/installed"
fi
build PasskeyDeliveryProbe passkey-server

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PYTHONPATH=Tests/Interop PYTHONDONTWRITEBYTECODE=1 timeout 900 \
  "$python" Tests/Interop/delivery.py "$programs/PasskeyDeliveryProbe" "$programs/passkey-server" "$scratch"
