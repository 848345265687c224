#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries the profiles of libraries and applications from PyPI: `passkey register`, `sign-in`, `load` and `audit` at sites with
# them, which Lab/AuditedServers/library_site.py serves on ports of localhost. The last line is "N passed, N failed".
#
#   Scripts/interop libraries

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

# The versions with which the profiles in Examples/Profiles were tried.
packages=("fastapi-passkeys==0.1.2" "uvicorn==0.54.0" "flask-security[common]==5.9.2" "flask-sqlalchemy==3.1.1"
  "webauthn==3.0.1" "django==5.2.19" "django-passkeys==2.1" "django-mfa2==3.2.0" "fido2==2.2.1" "open-passkey-flask==0.1.4"
  "canaille[fido,front,oidc,server,sqlite]==0.3.6")
folder=$PWD/.build/interop-libraries
python=$folder/python/bin/python

Scripts/setup python3-venv >/dev/null
if [[ $(cat "$folder/installed" 2>/dev/null) != "${packages[*]}" ]]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  "$python" -m pip --quiet --disable-pip-version-check install "${packages[@]}"
  echo "${packages[*]}" >"$folder/installed"
fi
build passkey passkey-lab

PYTHONPATH=Tests/Interop PYTHONDONTWRITEBYTECODE=1 timeout 900 \
  "$python" Tests/Interop/libraries.py "$programs/passkey"
