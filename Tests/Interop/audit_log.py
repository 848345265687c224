# SPDX-License-Identifier: Apache-2.0
"""Verifies a proof of `passkey-server audit prove` without the code of this project: audit_log.py KEY PROOF

Follows RFC 9162 §2.1.3.2 and the texts of C2SP (tlog-proof, tlog-checkpoint, signed-note). Prints the index and the size of the log.

    pip install cryptography
    passkey-server audit prove 4711 >record.tlog-proof
    python3 Tests/Interop/audit_log.py "$(passkey-server audit key)" record.tlog-proof
"""

import base64
import hashlib
import sys

from cryptography.hazmat.primitives.asymmetric import ed25519


def sha256(data):
    return hashlib.sha256(data).digest()


def byte_string(data, start):
    """Returns a CBOR byte string."""
    first = data[start]
    assert first >> 5 == 2, "not a byte string"
    if first & 31 < 24:
        length, start = first & 31, start + 1
    else:
        width = 1 << (first & 31) - 24
        length, start = int.from_bytes(data[start + 1 : start + 1 + width]), start + 1 + width
    return data[start : start + length]


def root(leaf, index, size, hashes):
    """Returns the root that a proof of inclusion leads to (RFC 9162 §2.1.3.2)."""
    position, last, value = index, size - 1, leaf
    assert index < size
    for sibling in hashes:
        assert last > 0, "too many hashes"
        if position & 1 or position == last:
            value = sha256(b"\x01" + sibling + value)
            while not position & 1 and position > 0:
                position, last = position >> 1, last >> 1
        else:
            value = sha256(b"\x01" + value + sibling)
        position, last = position >> 1, last >> 1
    assert last == 0, "too few hashes"
    return value


def main(key, path):
    name, key_id, encoded = key.strip().split("+", 2)
    public = base64.b64decode(encoded)
    assert public[0] == 1 and sha256(name.encode() + b"\n" + public)[:4].hex() == key_id

    with open(path, encoding="utf-8") as file:
        head, note = file.read().split("\n\n", 1)
    lines = head.split("\n")
    assert lines[0] == "c2sp.org/tlog-proof@v1"
    extra = base64.b64decode(lines[1].removeprefix("extra "))
    index = int(lines[2].removeprefix("index "))
    hashes = [base64.b64decode(line) for line in lines[3:]]

    text, signatures = note.split("\n\n", 1)
    text += "\n"
    origin, size, expected = text.split("\n")[:3]
    assert origin == name
    signed = [line.split(" ") for line in signatures.splitlines()]
    signature = next(base64.b64decode(line[2]) for line in signed if line[1] == name)
    assert signature[:4].hex() == key_id
    ed25519.Ed25519PublicKey.from_public_bytes(public[1:]).verify(signature[4:], text.encode())

    # {0: record, 1: details}
    assert extra[:2] == b"\xa2\x00"
    record = byte_string(extra, 2)
    assert root(sha256(b"\x00" + record), index, int(size), hashes) == base64.b64decode(expected)
    print(f"entry {index} of {size}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
