#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests against other projects' software. `passkey verify` verifies responses of soft_fido2 and python-fido2; `passkey`
# registers and signs in with servers built on py_webauthn and python-fido2, one of them with Yapt's routes, and with
# `passkey-server` by each profile; jsonschema and openapi-spec-validator check the profiles, the OpenAPI documents and the
# responses of `passkey-server`. The last line is "N passed, N failed".
#
#   Scripts/interop clients

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash


# The servers act as https://raxx.app.
make_certificate raxx.app

export PYTHONPATH=Tests/Interop PASSKEY_DEVICE="$passkey authenticator --stdio --memory"
count "clients of others" 600 "$python" Tests/Interop/clients.py "$passkey"
count "passkey and servers of others" 600 "$python" Tests/Interop/handshake.py \
  "$passkey" "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
count "passkey and Yapt's routes on py_webauthn" 600 "$python" Tests/Interop/yapt.py \
  "$passkey" "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
build passkey-server
server=$programs/passkey-server
count "passkey and the profiles of passkey-server" 600 "$python" Tests/Interop/profiles.py \
  "$passkey" "$server" "$scratch/server.pem" "$scratch/server.key" "$scratch/authority.pem"
count "passkey-server's profiles and descriptions" 600 "$python" Tests/Interop/description.py "$server"

finish
