# SPDX-License-Identifier: Apache-2.0
"""Writes the vectors of PasskeyTransparencyLog and an example of a proof, without its code: transparency_log.py FILE FOLDER

Trees and proofs follow the definitions of RFC 6962 §2.1. Roots and proofs of inclusion must equal those of pymerkle; its proofs of
consistency have a form of their own. Notes, checkpoints, cosignatures, proof files and requests to witnesses are written after the
texts of C2SP and signed with cryptography. The ML-DSA signature differs in each run.

    pip install pymerkle cachetools cryptography
    python3 Tests/Interop/transparency_log.py Vectors/transparency-log/vectors.json Examples/artifacts
"""

import base64
import hashlib
import json
import sys

import pymerkle
from cryptography.hazmat.primitives.asymmetric import ed25519, mldsa

SMALL = 40
LARGE = 66_000


def b64(data):
    return base64.b64encode(data).decode()


def sha256(data):
    return hashlib.sha256(data).digest()


def entry(index):
    return f"entry {index}".encode()


# RFC 6962 §2.1, with the hashes of entries in place of entries.


def split(count):
    k = 1
    while k * 2 < count:
        k *= 2
    return k


known = {}


def mth(leaves, start, end):
    if (start, end) in known:
        return known[start, end]
    count = end - start
    if count == 0:
        return sha256(b"")
    if count == 1:
        return leaves[start]
    k = split(count)
    known[start, end] = sha256(b"\x01" + mth(leaves, start, start + k) + mth(leaves, start + k, end))
    return known[start, end]


def path(leaves, m, start, end):
    if end - start == 1:
        return []
    k = split(end - start)
    if m < k:
        return path(leaves, m, start, start + k) + [mth(leaves, start + k, end)]
    return path(leaves, m - k, start + k, end) + [mth(leaves, start, start + k)]


def subproof(leaves, m, start, end, whole):
    if m == end - start:
        return [] if whole else [mth(leaves, start, end)]
    k = split(end - start)
    if m <= k:
        return subproof(leaves, m, start, start + k, whole) + [mth(leaves, start + k, end)]
    return subproof(leaves, m - k, start + k, end, False) + [mth(leaves, start, start + k)]


def inclusion(leaves, index, size):
    return path(leaves, index, 0, size)


def consistency(leaves, older, newer):
    return [] if older == 0 else subproof(leaves, older, 0, newer, True)


# C2SP tlog-tiles.


def tiles(leaves):
    found, row, level = {}, leaves, 0
    while row:
        for start in range(0, len(row), 256):
            found[level, start // 256] = b"".join(row[start : start + 256])
        full = len(row) // 256
        row = [mth(leaves, i * 256 ** (level + 1), (i + 1) * 256 ** (level + 1)) for i in range(full)]
        level += 1
    return found


def tile_path(level, index, width):
    text = f"{index % 1000:03}"
    while index >= 1000:
        index //= 1000
        text = f"x{index % 1000:03}/{text}"
    return f"tile/{level}/{text}" + ("" if width == 256 else f".p/{width}")


# C2SP signed-note, tlog-checkpoint and tlog-cosignature.


def key_id(name, kind, public):
    return sha256(name.encode() + b"\n" + bytes([kind]) + public)[:4]


def vkey(name, kind, public):
    return f"{name}+{key_id(name, kind, public).hex()}+{b64(bytes([kind]) + public)}"


class Signer:
    def __init__(self, name, kind, seed):
        self.name, self.kind, self.seed = name, kind, seed
        if kind == 6:
            self.key = mldsa.MLDSA44PrivateKey.from_seed_bytes(seed)
        else:
            self.key = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self.key.public_key().public_bytes_raw()

    def line(self, text, time=0):
        if self.kind == 1:
            message, prefix = text.encode(), b""
        elif self.kind == 4:
            message, prefix = f"cosignature/v1\ntime {time}\n{text}".encode(), time.to_bytes(8, "big")
        else:
            origin, size, root = text.split("\n")[:3]
            prefix = time.to_bytes(8, "big")
            message = (
                b"subtree/v1\n\x00"
                + bytes([len(self.name.encode())])
                + self.name.encode()
                + prefix
                + bytes([len(origin.encode())])
                + origin.encode()
                + (0).to_bytes(8, "big")
                + int(size).to_bytes(8, "big")
                + base64.b64decode(root)
            )
        signature = key_id(self.name, self.kind, self.public) + prefix + self.key.sign(message)
        return f"\u2014 {self.name} {b64(signature)}\n"

    def described(self):
        return {
            "name": self.name,
            "kind": self.kind,
            "seed": self.seed.hex(),
            "vkey": vkey(self.name, self.kind, self.public),
        }


def checkpoint(origin, size, root):
    return f"{origin}\n{size}\n{b64(root)}\n"


def lines(hashes):
    return "".join(b64(h) + "\n" for h in hashes)


# The record of a sign-in, in the CBOR of `passkey-server audit prove`.


def cbor(value):
    """The canonical encoding of short values."""

    def head(major, number):
        if number < 24:
            return bytes([major << 5 | number])
        width = next(w for w in (1, 2, 4, 8) if number < 1 << 8 * w)
        return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[width]]) + number.to_bytes(width, "big")

    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(item) for item in value)
    pairs = sorted((cbor(key), cbor(item)) for key, item in value.items())
    return head(5, len(pairs)) + b"".join(key + item for key, item in pairs)


def example(log, witness, time):
    """A proof of a sign-in in a small log, with the address that the record commits to."""
    salt, address = bytes(range(100, 132)), "192.0.2.1"
    person = bytes(range(16))
    record = cbor(
        {
            0: 1,
            1: bytes(range(200, 216)),
            2: time - 5,
            3: person,
            4: person,
            5: "session.opened",
            6: "session:0f1e2d",
            7: "ok",
            8: "7c9e6679",
            9: {"credential": "Zk3q"},
            10: {"address": sha256(salt + address.encode())},
        }
    )
    known.clear()
    index, size = 12, 20
    leaves = [sha256(b"\x00" + (record if i == index else entry(i))) for i in range(size)]
    text = checkpoint(log.name, size, mth(leaves, 0, size))
    extra = cbor({0: record, 1: {"address": [salt, address]}})
    return (
        f"c2sp.org/tlog-proof@v1\nextra {b64(extra)}\nindex {index}\n"
        + lines(inclusion(leaves, index, size))
        + f"\n{text}\n"
        + log.line(text)
        + witness.line(text, time)
    )


def main():
    leaves = [sha256(b"\x00" + entry(i)) for i in range(LARGE)]
    tree = pymerkle.InmemoryTree(algorithm="sha256")
    for i in range(SMALL):
        tree.append_entry(entry(i))
    for size in range(SMALL + 1):
        assert tree.get_root(size) == mth(leaves, 0, size), size
        for index in range(size):
            proof = tree.prove_inclusion(index + 1, size)
            pymerkle.verify_inclusion(leaves[index], mth(leaves, 0, size), proof)
            assert inclusion(leaves, index, size) == proof.path[1:], (index, size)

    log = Signer("log.example/audit", 1, bytes(range(32)))
    witness = Signer("witness.example/w1", 4, bytes(range(32, 64)))
    quantum = Signer("witness.example/w2", 6, bytes(range(64, 96)))
    time = 1_800_000_000
    text = checkpoint(log.name, LARGE, mth(leaves, 0, LARGE))
    note = text + "\n" + log.line(text)
    cosigned = note + witness.line(text, time)
    stored = tiles(leaves)
    index = 65_535
    older = 40_000
    pairs = [(1, LARGE), (255, 256), (256, 257), (older, LARGE), (65_536, LARGE), (65_535, 65_537)]
    vectors = {
        "schema": "transparency-log-vectors/1",
        "small": {
            "roots": [mth(leaves, 0, size).hex() for size in range(SMALL + 1)],
            "inclusion": [
                sha256(b"".join(b"".join(inclusion(leaves, i, size)) for i in range(size))).hex()
                for size in range(SMALL + 1)
            ],
            "consistency": [
                sha256(b"".join(b"".join(consistency(leaves, older, size)) for older in range(size + 1))).hex()
                for size in range(SMALL + 1)
            ],
        },
        "large": {
            "size": LARGE,
            "root": mth(leaves, 0, LARGE).hex(),
            "inclusion": [
                {"index": i, "hashes": [h.hex() for h in inclusion(leaves, i, LARGE)]}
                for i in (0, 255, 256, 65_535, 65_536, LARGE - 1)
            ],
            "consistency": [
                {"older": a, "newer": b, "hashes": [h.hex() for h in consistency(leaves, a, b)]} for a, b in pairs
            ],
            "tiles": [
                {"path": tile_path(level, i, len(data) // 32), "sha256": sha256(data).hex()}
                for (level, i), data in sorted(stored.items())
                if level > 0 or i in (0, 255, 256, LARGE // 256)
            ],
        },
        "keys": [log.described(), witness.described(), quantum.described()],
        "time": time,
        "checkpoint": note,
        "cosigned": cosigned,
        "cosignedByMLDSA": note + quantum.line(text, time),
        "proof": "c2sp.org/tlog-proof@v1\n"
        + f"extra {b64(b'salt')}\nindex {index}\n"
        + lines(inclusion(leaves, index, LARGE))
        + "\n"
        + cosigned,
        "proofIndex": index,
        "request": f"old {older}\n" + lines(consistency(leaves, older, LARGE)) + "\n" + note,
        "oldSize": older,
    }
    with open(sys.argv[1], "w") as file:
        json.dump(vectors, file, indent=1, ensure_ascii=False)
        file.write("\n")
    folder = sys.argv[2]
    with open(f"{folder}/audit.tlog-proof", "w") as file:
        file.write(example(log, witness, time))
    with open(f"{folder}/audit.tlog-policy", "w") as file:
        keys = [signer.described()["vkey"] for signer in (log, witness)]
        file.write(f"log {keys[0]}\nwitness first {keys[1]}\nquorum first\n")


main()
