#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries the library as a dependency by version: tags a clone of this checkout, builds an application on it with the commands of
# Examples/deployment/Dockerfile, and runs it in a bare Debian 12 with the packages that the Dockerfile names. Needs root.
# Prints one line for each test; the last line is "N passed, N failed".
#
#   Scripts/try dependency

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
# shellcheck source=Scripts/lib/try/tell.bash
source Scripts/lib/try/tell.bash
# shellcheck source=Scripts/lib/debian.bash
source Scripts/lib/debian.bash

(($# == 0)) || refuse "no arguments"
Scripts/setup >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# Those of this project's own builds.
unset PASSKEY_LAB PASSKEY_COMPILE_ONCE PASSKEY_WARNINGS_AS_ERRORS

version=$(sed -n '/^package enum Version/,/^}/s/.*current = "\(.*\)"/\1/p' Sources/Programs/PasskeyCommandLine/CommandLine/Program.swift)
git clone --quiet . "$work/passkey"
git -C "$work/passkey" tag "$version"
mkdir -p "$work/app/Sources/App" "$work/home"
cat >"$work/app/Package.swift" <<PACKAGE
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [.package(url: "file://$work/passkey", from: "$version")],
  targets: [
    .executableTarget(name: "App", dependencies: [.product(name: "WebAuthnRelyingParty", package: "passkey")])
  ])
PACKAGE
cat >"$work/app/Sources/App/main.swift" <<'SWIFT'
import WebAuthnFoundation
import WebAuthnRelyingParty

let relyingParty = try RelyingParty(
  id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
let begun = try relyingParty.beginAuthentication(
  of: .fromResponse, binding: CeremonyBinding("the session's cookie"), at: .now)
print(String(decoding: begun.options.json, as: UTF8.self))
SWIFT
dockerfile=Examples/deployment/Dockerfile
built=1
while read -r command; do
  (cd "$work/app" && HOME=$work/home PRODUCT=App bash -euc "$command") >>"$work/build.log" 2>&1 || built=
done < <(sed -nE 's/^RUN (swift|install) /\1 /p' "$dockerfile")

tell "an application builds on version $version" test -n "$built"
# The linker warns of a function in Swift's own Foundation.
tell "the build prints no warning" isnt grep --ignore-case warning <(grep --invert-match libFoundationEssentials.a "$work/build.log")
if [[ -z $built ]]; then
  tail -n 20 "$work/build.log"
  finish
fi
tell "the version was resolved by its tag" grep --quiet "\"version\" : \"$version\"" "$work/app/Package.resolved"

read -ra packages < <(sed -nE '/^FROM debian/,$s/^RUN .*--no-install-recommends ([a-z0-9 -]+) &&.*/\1/p' "$dockerfile")
make_debian "$work/root"
apt_in_debian "$work/root" install "${packages[@]}"
cp "$work/app/out/app" "$work/root/usr/local/bin/app"
tell "it runs where only ${packages[*]} are installed" grep --quiet '"rpId":"raxx.app"' \
  <(in_debian "$work/root" setpriv --reuid 65532 --regid 65532 --clear-groups /usr/local/bin/app)
echo "it loads $(ldd "$work/app/out/app" | wc -l) shared libraries and has $(stat --format %s "$work/app/out/app") bytes"
finish
