#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the suites in this folder. Builds `passkey`, and installs their Python libraries and python-fido2's source
# archive, which has its device tests, under .build/interop.
#
# Sets python, passkey, suite and scratch, a folder that is deleted at the end, and defines make_certificate.

# shellcheck disable=SC2034,SC2154  # Of other scripts.
fido2_version=2.2.1
webauthn_version=3.0.1
soft_fido2_version=0.4.56
openapi_spec_validator_version=0.9.0
httpx_version=0.28.1
folder=$PWD/.build/interop
suite=$folder/fido2-$fido2_version
python=$folder/python/bin/python

Scripts/setup python3-venv openssl >/dev/null
needed="fido2 $fido2_version, webauthn $webauthn_version, soft_fido2 $soft_fido2_version"
needed+=", openapi-spec-validator $openapi_spec_validator_version, httpx $httpx_version"
if [[ $(cat "$folder/installed" 2>/dev/null) != "$needed" ]]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  install=("$python" -m pip --quiet --disable-pip-version-check)
  "${install[@]}" install "fido2==$fido2_version" "webauthn==$webauthn_version" \
    "soft_fido2==$soft_fido2_version" "openapi-spec-validator==$openapi_spec_validator_version" "httpx==$httpx_version" pytest
  "${install[@]}" download --no-deps --no-binary fido2 --dest "$folder" "fido2==$fido2_version"
  tar -xzf "$folder/fido2-$fido2_version.tar.gz" -C "$folder"
  echo "$needed" >"$folder/installed"
fi
build passkey
passkey=$programs/passkey

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# make_certificate HOST…: makes a certificate for the hosts and its authority in the folder scratch: server.pem, server.key,
# authority.pem.
make_certificate() {
  local names
  names=$(printf ',DNS:%s' "$@")
  (
    cd "$scratch"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=Interop authority" \
      -keyout authority.key -out authority.pem
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout server.key -out server.csr
    openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -out server.pem \
      -extfile <(echo "subjectAltName=${names:1}")
  ) >"$scratch/openssl.log" 2>&1 || { cat "$scratch/openssl.log" >&2; exit 1; }
}
