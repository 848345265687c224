# SPDX-License-Identifier: Apache-2.0
"""Notes, checkpoints and proofs after the texts of C2SP and RFC 9162, without the code of this project."""

import base64
import hashlib

import ed25519

LOG, WITNESS = 1, 4


class Invalid(Exception):
    """A malformed or invalid value."""


def require(condition, reason):
    if not condition:
        raise Invalid(reason)


def sha256(data):
    return hashlib.sha256(data).digest()


def b64(data):
    return base64.b64encode(data).decode()


def decode(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Invalid("not base64") from None
    require(b64(data) == text, "not canonical base64")
    return data


def number(text):
    require(text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"), f"not a number: {text[:20]}")
    return int(text)


class Key:
    """A verifier key: NAME+ID+BASE64 (C2SP signed-note)."""

    def __init__(self, text):
        self.text = text.strip()
        self.name, key_id, encoded = self.text.split("+", 2)
        data = decode(encoded)
        self.kind, self.public = data[0], data[1:]
        self.key_id = sha256(self.name.encode() + b"\n" + data)[:4]
        require(self.key_id.hex() == key_id, "the ID of the key does not match")

    @staticmethod
    def of(name, kind, public):
        data = bytes([kind]) + public
        key_id = sha256(name.encode() + b"\n" + data)[:4].hex()
        return Key(f"{name}+{key_id}+{b64(data)}")

    def verify(self, text, signatures):
        """Returns whether the key signed the text. Raises if its signature does not match."""
        for name, key_id, signature in signatures:
            if name != self.name or key_id != self.key_id:
                continue
            message = text
            if self.kind == WITNESS:
                time = int.from_bytes(signature[:8], "big")
                require(time > 0, "a cosignature without a time")
                message, signature = f"cosignature/v1\ntime {time}\n".encode() + text, signature[8:]
            require(ed25519.verify(self.public, message, signature), f"the signature of {name} does not match")
            return True
        return False


def parse_note(data):
    """Returns the text of a note and its signatures."""
    end = data.rfind(b"\n\n")
    require(end >= 0 and data.endswith(b"\n"), "no signatures")
    signatures = []
    for line in data[end + 2 :].decode().removesuffix("\n").split("\n"):
        dash, name, encoded = line.split(" ")
        require(dash == "\N{EM DASH}", "not a signature line")
        signature = decode(encoded)
        signatures.append((name, signature[:4], signature[4:]))
    return data[: end + 1], signatures


def parse_checkpoint(text):
    """Returns the origin, the size and the root of a checkpoint."""
    lines = text.decode().split("\n")
    require(len(lines) >= 4 and lines[-1] == "", "too few lines")
    root = decode(lines[2])
    require(len(root) == 32, "a root of another length")
    size = number(lines[1])
    require(size > 0 or root == sha256(b""), "the root of an empty tree")
    return lines[0], size, root


def inner(left, right):
    return sha256(b"\x01" + left + right)


def verify_inclusion(leaf, index, size, hashes, expected):
    """Verifies a proof of inclusion (RFC 9162 §2.1.3.2)."""
    require(index < size, "the index is outside the tree")
    position, last, value = index, size - 1, leaf
    for sibling in hashes:
        require(last > 0, "too many hashes")
        if position & 1 or position == last:
            value = inner(sibling, value)
            while not position & 1 and position > 0:
                position, last = position >> 1, last >> 1
        else:
            value = inner(value, sibling)
        position, last = position >> 1, last >> 1
    require(last == 0 and value == expected, "the proof of inclusion does not lead to the root")


def verify_consistency(older, old_root, newer, new_root, hashes):
    """Verifies a proof of consistency (RFC 9162 §2.1.4.2)."""
    require(older <= newer, "the older tree is larger")
    if older == 0 or older == newer:
        require(not hashes and (older == 0 or old_root == new_root), "the roots differ")
        return
    hashes = list(hashes)
    if older & (older - 1) == 0:
        hashes = [old_root] + hashes
    require(hashes, "no hashes")
    position, last = older - 1, newer - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    one = other = hashes[0]
    for sibling in hashes[1:]:
        require(last > 0, "too many hashes")
        if position & 1 or position == last:
            one, other = inner(sibling, one), inner(sibling, other)
            while not position & 1 and position > 0:
                position, last = position >> 1, last >> 1
        else:
            other = inner(other, sibling)
        position, last = position >> 1, last >> 1
    require(last == 0 and one == old_root and other == new_root, "the proof of consistency does not match the roots")
