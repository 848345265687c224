#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests of ML-DSA, PasskeyCrypto, cosignatures, the authenticator and the vectors, and python-fido2's device tests with
# the libcrypto of Debian 13, which has ML-DSA, unlike Debian 12's. Compares that ML-DSA with the built-in one, and both with
# the vectors of NIST (ACVP) and Wycheproof in OpenSSL's source package. The last line is "N passed, N failed".
#
#   Scripts/interop mldsa [--timing]
#
#   --timing    measure the built-in implementation against OpenSSL's instead (a release build)
#
# The binary is built with Debian 12's headers, so this tests what the library detects at run time. debootstrap downloads the
# libraries once, into .build-trixie, and APT the source package, into .build-trixie-source.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

root=.build-trixie
libraries=$root/usr/lib/$(uname -m)-linux-gnu
source=.build-trixie-source

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

(($# == 0)) || [[ $# == 1 && $1 == --timing ]] || refuse "unknown argument $1"

Scripts/setup debootstrap

if [[ ! -e $libraries/libcrypto.so.3 ]]; then
  echo "mldsa: fetching Debian 13's libraries (half a minute)"
  as_root rm -rf "$root"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  as_root debootstrap --variant=minbase --include=openssl trixie "$root" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    stop "debootstrap failed"
  }
fi
loader=$(find "$libraries" -maxdepth 1 -name 'ld-linux-*.so.*' | head -n 1)
[[ -n $loader ]] || stop "no loader in $libraries"

# Without ML-DSA in libcrypto, the tests would only use the built-in one.
"$loader" --library-path "$libraries" "$root/usr/bin/openssl" list -signature-algorithms | grep ML-DSA-44 >/dev/null ||
  stop "this libcrypto has no ML-DSA"

launcher=("$PWD/$loader" --library-path "$PWD/$libraries:/usr/lib/$(uname -m)-linux-gnu")

if [[ ${1:-} == --timing ]]; then
  swift build --configuration release --product Benchmarks --quiet
  exec "${launcher[@]}" .build/release/Benchmarks ml-dsa
fi

# fetch_vectors: extracts the test data of OpenSSL's newest source package that the mirror has. APT checks its signature.
fetch_vectors() {
  local folder=$PWD/$source version apt
  apt=(-o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$folder/lists"
    -o Dir::Cache="$folder/cache" -o APT::Sandbox::User="$(id -un)")
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  # From the mirror that debootstrap used.
  sed -n "s|^deb \\(.*\\)|deb-src [signed-by=$PWD/$root/usr/share/keyrings/debian-archive-keyring.gpg] \\1|p" \
    "$root/etc/apt/sources.list" >"$folder/sources.list"
  apt-get "${apt[@]}" --quiet --quiet update || return
  for version in $(apt-cache "${apt[@]}" showsrc --only-source openssl | sed -n 's/^Version: //p' | sort --version-sort --reverse); do
    rm -f "$folder"/openssl_*
    # A mirror may list a version that it does not have yet.
    (cd "$folder" && apt-get "${apt[@]}" --quiet --quiet source --download-only "openssl=$version") 2>"$folder/log" || continue
    tar --extract --file "$folder"/openssl_*.orig.tar.[gx]z --directory "$folder" --strip-components 4 --wildcards \
      '*/test/recipes/30-test_evp_data/evppkey_ml_dsa_*.txt' || return
    rm -rf "$folder"/openssl_* "$folder/lists" "$folder/cache"
    return
  done
  cat "$folder/log" >&2
  return 1
}

if [[ ! -e $source/evppkey_ml_dsa_siggen.txt ]]; then
  echo "mldsa: fetching the test data of OpenSSL's source package (50 MB)"
  fetch_vectors || stop "the source package of OpenSSL cannot be fetched"
fi
export PASSKEY_MLDSA_VECTORS=$PWD/$source

# The tests find their data by the path of their sources, so they also run under another loader.
export PASSKEY_LAUNCHER="${launcher[*]}"
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count "tests" 7200 Scripts/test \
  --filter '^(PasskeyMLDSATests|PasskeyCryptoTests|PasskeyTransparencyLogTests|WebAuthnAuthenticatorTests|WebAuthnVectorsTests[.]Vector)'
# Both implementations again, with ten times as many keys and messages.
PASSKEY_PROPERTY_RUNS=200000 count "both implementations" 3600 Scripts/test --filter MLDSADifferentialTests
count "python-fido2" 1200 Scripts/interop fido2 tests/device
finish
