# SPDX-License-Identifier: Apache-2.0
"""A monitor of a log in the tiles of C2SP tlog-tiles, without the code of this project: log_monitor.py VKEY URL STATE [PROOF]

Verifies the newest checkpoint, recomputes its root from the hashes of all entries, and compares all tiles above them. Verifies with
hashes of as few tiles as possible that the log extends the checkpoint in the file STATE, if there is one, and that it has the record
of the proof file PROOF. Then writes the checkpoint to STATE. Prints the sizes, or a reason and exits with 1.
"""

import os
import sys
import urllib.error
import urllib.request

from tlog import (
    Invalid, Key, decode, inner, parse_checkpoint, parse_note, require, sha256, verify_consistency, verify_inclusion,
)


def fetch(path, media_type, caching):
    request = urllib.request.Request(f"{url}/{path}")
    with urllib.request.urlopen(request, timeout=60) as response:
        require(response.headers["Content-Type"] == media_type, f"{path}: {response.headers['Content-Type']}")
        require(caching in response.headers["Cache-Control"], f"{path}: {response.headers['Cache-Control']}")
        return response.read()


def path_of(level, index, width):
    groups = []
    while True:
        groups.insert(0, f"{index % 1000:03}")
        index //= 1000
        if not index:
            break
    groups = ["x" + group for group in groups[:-1]] + groups[-1:]
    return f"tile/{level}/{'/'.join(groups)}" + (f".p/{width}" if width < 256 else "")


class Tiles:
    """The tiles of a tree, fetched when they are needed."""

    def __init__(self, size):
        self.size = size
        self.known = {}

    def row(self, level, index):
        if (level, index) not in self.known:
            width = min(256, (self.size >> 8 * level) - 256 * index)
            data = fetch(path_of(level, index, width), "application/octet-stream", "immutable")
            require(len(data) == 32 * width, f"a tile of {len(data)} bytes, and {width} hashes")
            self.known[level, index] = [data[i : i + 32] for i in range(0, len(data), 32)]
        return self.known[level, index]

    def hash(self, start, end):
        """Returns the hash of a range of entries (RFC 9162 §2.1.1)."""
        count = end - start
        if count & (count - 1) == 0 and start % count == 0:
            height = count.bit_length() - 1
            level, rest = divmod(height, 8)
            first = start >> 8 * level
            hashes = self.row(level, first // 256)[first % 256 : first % 256 + (1 << rest)]
            while len(hashes) > 1:
                hashes = [inner(hashes[i], hashes[i + 1]) for i in range(0, len(hashes), 2)]
            return hashes[0]
        middle = split(count)
        return inner(self.hash(start, start + middle), self.hash(start + middle, end))


def split(count):
    """Returns the largest power of two below a number."""
    return 1 << (count - 1).bit_length() - 1


def inclusion(tiles, index, start, end):
    if end - start == 1:
        return []
    middle = start + split(end - start)
    if index < middle:
        return inclusion(tiles, index, start, middle) + [tiles.hash(middle, end)]
    return inclusion(tiles, index, middle, end) + [tiles.hash(start, middle)]


def consistency(tiles, older, start, end, is_whole):
    if older == end:
        return [] if is_whole else [tiles.hash(start, end)]
    middle = start + split(end - start)
    if older <= middle:
        return consistency(tiles, older, start, middle, is_whole) + [tiles.hash(middle, end)]
    return consistency(tiles, older, middle, end, False) + [tiles.hash(start, middle)]


def require_all_tiles(tiles):
    """Compares each tile with the row below it."""
    level = 0
    while tiles.size >> 8 * level:
        count = tiles.size >> 8 * level
        for index in range((count + 255) // 256):
            hashes = tiles.row(level, index)
            if level:
                for place, value in enumerate(hashes):
                    below = tiles.row(level - 1, 256 * index + place)
                    while len(below) > 1:
                        below = [inner(below[i], below[i + 1]) for i in range(0, len(below), 2)]
                    require(below[0] == value, f"tile {level}/{index} differs from the row below")
        level += 1


def byte_string(data, start):
    """Returns a CBOR byte string."""
    first = data[start]
    require(first >> 5 == 2, "not a byte string")
    if first & 31 < 24:
        length, start = first & 31, start + 1
    else:
        width = 1 << (first & 31) - 24
        length, start = int.from_bytes(data[start + 1 : start + 1 + width], "big"), start + 1 + width
    return data[start : start + length]


def require_record(tiles, root, proof):
    with open(proof, encoding="utf-8") as file:
        lines = file.read().split("\n")
    entry = byte_string(decode(lines[1].removeprefix("extra ")), 2)
    index = int(lines[2].removeprefix("index "))
    verify_inclusion(sha256(b"\x00" + entry), index, tiles.size, inclusion(tiles, index, 0, tiles.size), root)


def main():
    key = Key(vkey)
    note = fetch("checkpoint", "text/plain; charset=utf-8", "max-age")
    text, signatures = parse_note(note)
    origin, size, root = parse_checkpoint(text)
    require(origin == key.name and key.verify(text, signatures), "the checkpoint has no signature of the log")
    old_size = 0
    if os.path.exists(state):
        with open(state, "rb") as file:
            old_origin, old_size, old_root = parse_checkpoint(parse_note(file.read())[0])
        require(old_origin == origin, "another log")
        tiles = Tiles(size)
        require(old_size <= size, f"the log shrank from {old_size} to {size}")
        verify_consistency(old_size, old_root, size, root, consistency(tiles, old_size, 0, size, True))
    tiles = Tiles(size)
    require(tiles.hash(0, size) == root, "the tiles do not lead to the root")
    require_all_tiles(tiles)
    for proof in sys.argv[4:]:
        require_record(Tiles(size), root, proof)
    with open(state, "wb") as file:
        file.write(note)
    print(f"{old_size} to {size}")


vkey, url, state = sys.argv[1:4]
try:
    main()
except (Invalid, urllib.error.URLError, ValueError) as error:
    sys.exit(f"refused: {error}")
