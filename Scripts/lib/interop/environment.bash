#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the other Scripts/interop-* in the project's folder. Builds `passkey`, and installs their Python libraries and
# python-fido2's source archive, which has its device tests, under .build/interop.
#
# Sets python, passkey, suite and scratch, a folder that is deleted at the end.

# shellcheck disable=SC2034  # The sourcing scripts use these variables.
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
swift build --product passkey >"$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }
passkey=$(swift build --show-bin-path)/passkey

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
