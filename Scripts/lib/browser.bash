# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What tests of pages need beside a Chromium. Sourced by Scripts/test.

# install_axe: installs axe-core, the rules of accessibility, which PyPI has inside this package.
install_axe() {
  local version=0.1.8 folder=.build/browser-tests
  [[ $(cat "$folder/installed" 2>/dev/null) != "$version" ]] || return 0
  Scripts/setup python3-venv >/dev/null
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  "$folder/python/bin/python" -m pip --quiet --disable-pip-version-check download --no-deps --dest "$folder" \
    "axe-playwright-python==$version"
  python3 -m zipfile -e "$folder"/axe_playwright_python-*.whl "$folder/wheel"
  cp "$folder/wheel/axe_playwright_python/axe.min.js" "$folder/axe.min.js"
  echo "$version" >"$folder/installed"
}

# check_script_types: checks the types of passkey.js, as strictly as a page can. Fails if they do not fit their use.
check_script_types() {
  local folder=.build/script-types
  Scripts/setup node-typescript >/dev/null
  mkdir -p "$folder"
  cp Sources/Service/PasskeyPages/Scripts/passkey.d.ts Tests/Interop/passkey-use.ts "$folder"
  tsc --strict --noEmit --target es2022 --module es2022 --moduleResolution node --lib es2022,dom "$folder/passkey-use.ts" >&2 || {
    echo "error: the types of passkey.js do not fit its use" >&2
    return 1
  }
}
