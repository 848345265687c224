#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Takes pictures of all pages in a real Chromium, in both themes and two widths, and puts them into Documentation/Screenshots,
# reduced to 256 colors. Documentation/Screenshots.md shows them.
#
#   Scripts/docs --screenshots [--no-tests]
#
#   --no-tests   use the pictures that Scripts/test --tier merge --module Browser left in .build/screenshots

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

taken=.build/screenshots
folder=Documentation/Screenshots
page=Documentation/Screenshots.md

# Each place of the tests, and what it shows.
places=(
  'sign-in|Sign-in'
  'about-passkeys|What a passkey is'
  'create|A new account'
  'create-refused|A refused entry'
  'verify|The code from the email'
  'recover|Recovery'
  'waiting|An account that waits for approval'
  'account|The account'
  'dialog-of-a-name|A passkey gets a name'
  'dialog|A passkey is removed'
  'confirm|The confirmation as a page'
  'approvals|Administration: approvals'
  'users|Administration: users'
  'audit|Administration: audit feed'
  'outbox|Administration: outbox'
  'health|Administration: health'
  'portfolio|Raptor: the portfolio'
  'order|Raptor: a large order'
  'faults|Faults, in development mode'
  'explain-verified|The explaining page: a verified response'
  'explain-refused|The explaining page: a refused response'
)

case ${1:-} in
'')
  rm -rf "$taken"
  Scripts/test --tier merge --filter '^BrowserTests[.].*pictures?'
  ;;
--no-tests) ;;
*) refuse "unknown argument $1" ;;
esac
Scripts/setup pngquant >/dev/null

rm -rf "$folder"
mkdir -p "$folder"
{
  echo '# Screenshots'
  echo
  # shellcheck disable=SC2016
  echo 'All pages of the release, each at a width of 1200 and 320 pixels, in both themes. `Scripts/docs --screenshots` takes them, in a Chromium'
  echo 'with a virtual authenticator. [Pages](Pages.md) describes the pages.'
  for place in "${places[@]}"; do
    IFS='|' read -r name title <<<"$place"
    printf '\n## %s\n\n| light | dark | narrow, light | narrow, dark |\n|---|---|---|---|\n|' "$title"
    for width in 1200 320; do
      for theme in light dark; do
        file=$name-$width-$theme.png
        [[ -f $taken/$file ]] || { echo "screenshots: error: no picture $taken/$file" >&2; exit 1; }
        pngquant --quality 40-90 --speed 1 --strip --output "$folder/$file" 256 -- "$taken/$file"
        printf ' <img src="Screenshots/%s" alt="%s, %s pixels wide, %s theme" width="%s"> |' \
          "$file" "$title" "$width" "$theme" "$((width == 1200 ? 360 : 120))"
      done
    done
    echo
  done
} >"$page.new"
mv "$page.new" "$page"
du -sh "$folder"
