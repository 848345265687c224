#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the same sign-in on passkey-server and on servers that people build with other libraries (Lab/Peers): two requests,
# and a session that is on the disk before the response. `passkey load` drives all of them on this machine. Installs the other
# software from Debian and PyPI, the latter below .build/peers.
#
#   Scripts/bench --peers [OPTION…] [NAME…]   servers whose names contain one of these (all): allauth, SQLite …
#
#   --clients N    concurrent clients (64)
#   --accounts N   accounts of each round (100)
#   --seconds N    duration of a round, which at half load is doubled (5)
#   --rounds N     rounds (3)
#   --write        also write the tables into Lab/Documentation/Performance/Peers.md
#
# A run is stopped after ten minutes; the default takes about six.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
folder=$PWD/.build/peers
packages=("webauthn==3.0.1" "starlette==1.10.0" "uvicorn[standard]==0.54.0" "fido2==2.2.1" "flask==3.1.3" "gunicorn==27.0.1"
  "django==5.2.19" "django-allauth[headless,mfa]==65.21.1" "psycopg[c]==3.3.9" "itsdangerous==2.2.0")

Scripts/setup openssl python3-venv python3-dev gcc golang-go golang-github-duo-labs-webauthn-dev golang-github-gorilla-securecookie-dev \
  golang-github-mattn-go-sqlite3-dev >&2
if [[ $(cat "$folder/installed" 2>/dev/null) != "${packages[*]}" ]]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  "$folder/python/bin/python" -m pip --quiet --disable-pip-version-check install "${packages[@]}"
  echo "${packages[*]}" >"$folder/installed"
fi

build_options=(--configuration release)
build passkey-server passkey-lab
GO111MODULE=off GOPATH=/usr/share/gocode go build -o "$programs/go_site" Lab/Peers/go_site.go

# Beside the programs: the system's temporary folder may be in memory, where fsync costs nothing.
data=$(mktemp -d "$programs/peers.XXXXXX")
trap 'rm -rf "$data"' EXIT
timeout --kill-after 30 600 Scripts/lib/with-postgresql "$folder/python/bin/python" -B Scripts/lib/bench/peers/measure.py \
  "$programs" "$data" "$@"
