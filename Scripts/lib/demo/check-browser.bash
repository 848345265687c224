#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs Scripts/demo --browser without a display, on the existing build. Checks that every picture exists, has the width of the
# window and is not blank, and that no process and no file is left.
#
#   Scripts/lib/demo/check-browser.bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/temporary"
# The demo's own files go here, so that leftovers are visible. Swift leaves files of its own there.
env -u DISPLAY -u WAYLAND_DISPLAY TMPDIR="$place/temporary" HOME="$place" timeout --kill-after 10 120 \
  Scripts/demo --no-build --browser --screenshots "$place/pictures"

python3 - "$place/pictures" <<'PYTHON'
"""Checks the pictures in a folder."""
import glob
import struct
import sys
import zlib


def rows(path):
    """Returns the width and the decoded rows of a PNG with 8 bits a channel."""
    with open(path, "rb") as file:
        data = file.read()
    assert data.startswith(b"\x89PNG\r\n\x1a\n"), f"{path} is no PNG"
    position, packed = 8, b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position : position + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[position + 8 : position + 18])
        if kind == b"IDAT":
            packed += data[position + 8 : position + 8 + length]
        position += length + 12
    assert depth == 8 and color in (2, 6), f"{path} has an unexpected format"
    plain, stride = zlib.decompress(packed), width * (3 if color == 2 else 4) + 1
    assert len(plain) == stride * height, f"{path} is cut"
    return width, [plain[start : start + stride] for start in range(0, len(plain), stride)]


names = (
    "1-create-account 2-portfolio 3-confirm-order 4-order-filled 5-signed-out 6-passkeys 7-last-passkey 8-sign-in "
    "9-signed-in-by-autofill"
).split()
found = sorted(path.rsplit("/", 1)[1][:-4] for path in glob.glob(f"{sys.argv[1]}/*.png"))
assert found == names, f"the pictures are {found}"
for name in names:
    width, lines = rows(f"{sys.argv[1]}/{name}.png")
    assert width == 1180, f"{name} is {width} pixels wide"
    # A row without content is filtered to zeros, or to one color and zeros. Text makes most rows of its lines different.
    different = len(set(lines))
    assert different > 100, f"{name} is blank: {different} different rows"
print(f"browser-demo: {len(names)} pictures, none is blank")
PYTHON

left=$(find "$place/temporary" -mindepth 1 -maxdepth 1 -name 'tmp.*')
[[ -z $left ]] || { printf 'browser-demo: error: left behind: %s\n' "$left" >&2; exit 1; }
# A handler of crashes ends a moment after its browser.
for _ in {1..100}; do
  pgrep --full "$place/temporary" >/dev/null || exit 0
  sleep 0.1
done
echo "browser-demo: error: a process is left:" >&2
pgrep --full --list-full "$place/temporary" >&2
exit 1
