#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes cbor.json, der.json and cose.json beside this file.

The encoders below share no code with the Swift modules under test. The output depends on nothing but this file:

    python3 Vectors/codecs/generate.py
"""

import hashlib
import json
import pathlib
import struct


# CBOR (RFC 8949)

def head(major, argument, width=None):
    """A head with the shortest argument, or with one of `width` bytes."""
    if width is None:
        width = 0 if argument < 24 else next(width for width in (1, 2, 4, 8) if argument < 1 << 8 * width)
    if width == 0:
        return bytes([major << 5 | argument])
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[width]]) + argument.to_bytes(width, "big")


def cbor(value):
    """The CTAP2 canonical encoding of a value."""
    if isinstance(value, bool) or value is None:
        return {False: b"\xf4", True: b"\xf5", None: b"\xf6"}[value]
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    pairs = sorted((cbor(key), cbor(item)) for key, item in value.items())
    return head(5, len(pairs)) + b"".join(key + item for key, item in pairs)


def cbor_vectors():
    examples = []

    def example(data, value=None, diagnostic=None, roundtrip=True, canonical=True):
        entry = {"hex": data.hex(), "roundtrip": roundtrip, "canonicalCTAP2": canonical}
        entry.update({"value": value} if diagnostic is None else {"diagnostic": diagnostic})
        examples.append(entry)

    for bits in (0, 4, 5, 8, 16, 32, 53):
        for number in sorted({max(0, (1 << bits) - 1), 1 << bits}):
            example(cbor(number), number)
            example(cbor(-1 - number), -1 - number)
    for text in ("", "passkey", "ü", "水", "𐍈", "a" * 23, "a" * 24, "a" * 256):
        example(cbor(text), text)
    for length in (0, 1, 23, 24, 255, 256):
        content = bytes(index % 256 for index in range(length))
        example(cbor(content), diagnostic=f"h'{content.hex()}'")
    for value in (True, False, None, [], {}, [1, [2, [3]]], list(range(30)), {"a": 1, "b": [True, None]}):
        example(cbor(value), value)
    example(cbor({1: 2, 3: -7, -1: 1}), {"1": 2, "3": -7, "-1": 1})
    example(b"\xf7", diagnostic="undefined")
    for number in (0, 16, 19, 32, 255):
        encoded = head(7, number)
        example(encoded, diagnostic=f"simple({number})")
    for number in (0.0, -0.0, 1.5, 65504.0):
        example(b"\xf9" + struct.pack(">e", number), number, canonical=False)
    example(b"\xfa" + struct.pack(">f", 100000.0), 100000.0, canonical=False)
    example(b"\xfb" + struct.pack(">d", 1.1), 1.1, canonical=False)
    example(head(6, 32) + cbor("https://raxx.app"), diagnostic='32("https://raxx.app")', canonical=False)
    for major, item in ((4, cbor(1)), (4, b"")):
        example(bytes([major << 5 | 31]) + item + b"\xff", [1] if item else [], roundtrip=False, canonical=False)
    example(b"\xbf" + cbor("a") + cbor(1) + b"\xff", {"a": 1}, roundtrip=False, canonical=False)
    example(b"\x7f" + cbor("pass") + cbor("key") + b"\xff", "passkey", roundtrip=False, canonical=False)
    chunks = b"\x5f" + cbor(b"\x01") + cbor(b"\x02") + b"\xff"
    example(chunks, diagnostic="(_ h'01', h'02')", roundtrip=False, canonical=False)
    for width in (1, 2, 4, 8):
        indicator = {1: 0, 2: 1, 4: 2, 8: 3}[width]
        example(head(0, 5, width), diagnostic=f"5_{indicator}", roundtrip=False, canonical=False)

    malformed = []

    def reject(group, data, why, code, **more):
        group.append({"hex": data.hex(), "why": why, "code": code, **more})

    for major in range(7):
        for information, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
            for present in sorted({0, width - 1}):
                data = bytes([major << 5 | information]) + bytes(present)
                reject(malformed, data, "truncated argument", "cbor.truncated")
    for major in range(8):
        for information in (28, 29, 30):
            reject(malformed, bytes([major << 5 | information]), "reserved additional information", "cbor.reserved-head")
    for major in (0, 1, 6):
        reject(malformed, bytes([major << 5 | 31]), "indefinite length of an integer or tag", "cbor.reserved-head")
    for major in (2, 3, 4, 5):
        reject(malformed, head(major, 2) + b"\x00", "length beyond the input", "cbor.length-exceeds-input")
        reject(malformed, head(major, (1 << 64) - 1), "length of 2^64 - 1", "cbor.length-exceeds-input")
    reject(malformed, b"\x82\x00\x18", "truncated item in an array", "cbor.truncated")
    for number in (0, 23, 24, 31):
        reject(malformed, bytes([0xF8, number]), "two-byte simple value below 32", "cbor.invalid-simple-value")
    reject(malformed, b"\xff", "break outside an indefinite length", "cbor.unexpected-break")
    reject(malformed, b"\x81\xff", "break in a definite array", "cbor.unexpected-break")
    invalid = []
    for data in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc3"):
        reject(invalid, head(3, len(data)) + data, "text is not UTF-8", "cbor.invalid-utf8")
    reject(invalid, b"\x00\x00", "bytes after the item", "cbor.trailing-bytes")
    reject(invalid, b"", "no bytes", "cbor.truncated")
    for key in (b"\x80", b"\xa0", b"\xc1\x00", b"\xf9\x00\x00"):
        reject(invalid, b"\xa1" + key + b"\x00", "unsupported type of map key", "cbor.unsupported-key")
    not_canonical = []
    for major in (0, 1, 2, 3, 4, 5):
        for width in (1, 2, 4, 8):
            reject(not_canonical, head(major, 0, width), "head longer than necessary", "cbor.not-shortest", notes=[])
    reject(not_canonical, b"\xa2\x02\x00\x01\x00", "unsorted keys", "cbor.keys-out-of-order", notes=[])
    reject(not_canonical, b"\xa2\x61\x61\x00\x18\x64\x00", "text before integer", "cbor.keys-out-of-order", notes=[])
    reject(not_canonical, b"\xa2\x62aa\x00\x61b\x00", "longer key first", "cbor.keys-out-of-order", notes=[])
    reject(not_canonical, b"\xa2\x01\x00\x01\x00", "duplicate key", "cbor.duplicate-key", notes=["duplicate-key"])
    reject(not_canonical, b"\xc0\x00", "tag", "cbor.tag-not-allowed", notes=[])
    for data in (b"\x9f\xff", b"\xbf\xff", b"\x5f\xff", b"\x7f\xff"):
        reject(not_canonical, data, "indefinite length", "cbor.indefinite-length", notes=["indefinite"])
    hostile = [
        {"repeat": {"hex": unit, "times": times}, "then": "00", "why": f"{times} levels", "code": "cbor.depth-exceeded"}
        for unit, times in (("81", 17), ("a100", 17), ("81", 100_000))
    ]
    return {
        "schema": "cbor-vectors/1", "examples": examples, "notWellFormed": malformed, "invalid": invalid,
        "notCanonical": not_canonical, "hostile": hostile,
    }


# DER (X.690)

def der(tag, content, length=None):
    """An element with the shortest length, or with these length octets."""
    count = len(content)
    if length is None:
        octets = count.to_bytes((count.bit_length() + 7) // 8 or 1, "big")
        length = bytes([count]) if count < 128 else bytes([0x80 | len(octets)]) + octets
    return bytes([tag]) + length + content


def der_integer(number):
    return der(2, number.to_bytes(((number if number >= 0 else ~number).bit_length() + 8) // 8, "big", signed=True))


def der_vectors():
    accepted, rejected = [], []
    for bits in (0, 7, 8, 15, 16, 31, 32, 62):
        for number in (1 << bits, (1 << bits) - 1, -(1 << bits)):
            accepted.append({"type": "integer", "hex": der_integer(number).hex(), "value": number})
    accepted += [
        {"type": "boolean", "hex": "0101ff", "value": True},
        {"type": "boolean", "hex": "010100", "value": False},
        {"type": "null", "hex": "0500"},
        {"type": "objectIdentifier", "hex": "0603551d0f", "value": "2.5.29.15"},
        {"type": "objectIdentifier", "hex": "06082a8648ce3d030107", "value": "1.2.840.10045.3.1.7"},
        {"type": "objectIdentifier", "hex": "06022701", "value": "0.39.1"},
        {"type": "utf8String", "hex": der(12, "Schlüssel".encode()).hex(), "value": "Schlüssel"},
        {"type": "printableString", "hex": der(19, b"Test CA").hex(), "value": "Test CA"},
        {"type": "ia5String", "hex": der(22, b"a@example.com").hex(), "value": "a@example.com"},
        {"type": "time", "hex": der(23, b"241231235959Z").hex(), "value": "2024-12-31T23:59:59Z"},
        {"type": "time", "hex": der(23, b"500101000000Z").hex(), "value": "1950-01-01T00:00:00Z"},
        {"type": "time", "hex": der(24, b"20500101000000Z").hex(), "value": "2050-01-01T00:00:00Z"},
        {"type": "bitString", "hex": "03020780", "value": [0]},
        {"type": "bitString", "hex": "0303010502", "value": [5, 7, 14]},
    ]
    accepted += [
        {"type": "octetString", "hex": der(4, bytes(count)).hex(), "value": bytes(count).hex()}
        for count in (0, 1, 127, 128, 255, 256)
    ]

    def reject(kind, data, code):
        rejected.append({"type": kind, "hex": data.hex(), "code": code})

    reject("integer", b"", "der.truncated")
    reject("integer", b"\x02", "der.truncated")
    reject("integer", b"\x02\x01", "der.length-exceeds-input")
    reject("integer", b"\x02\x00", "der.invalid-integer")
    reject("integer", b"\x02\x02\x00\x7f", "der.invalid-integer")
    reject("integer", b"\x02\x02\xff\x80", "der.invalid-integer")
    reject("integer", der(2, b"\x01", b"\x81\x01"), "der.invalid-length")
    reject("integer", der(2, b"\x01", b"\x80"), "der.invalid-length")
    reject("integer", der(2, b"\x01" + bytes(8)), "der.integer-out-of-range")
    reject("integer", b"\x04\x01\x00", "der.unexpected-tag")
    reject("integer", b"\x02\x01\x00\x00", "der.trailing-bytes")
    reject("integer", b"\x1f\x02\x01\x00", "der.invalid-tag")
    for content in (b"", b"\x01", b"\xff\xff"):
        reject("boolean", der(1, content), "der.invalid-boolean")
    reject("null", b"\x05\x01\x00", "der.invalid-null")
    for content in (b"", b"\x80", b"\x2a\x80", b"\x2a\x80\x01"):
        reject("objectIdentifier", der(6, content), "der.invalid-object-identifier")
    reject("utf8String", der(12, b"\xc0\x80"), "der.invalid-string")
    reject("printableString", der(19, b"a*b"), "der.invalid-string")
    reject("ia5String", der(22, b"\x80"), "der.invalid-string")
    for content in (b"", b"\x01", b"\x08\x00", b"\x07\x81"):
        reject("bitString", der(3, content), "der.invalid-bit-string")
    for tag, text in ((23, b"2412312359Z"), (23, b"240230000000Z"), (24, b"20240101000000"), (24, b"20240101250000Z")):
        reject("time", der(tag, text), "der.invalid-time")
    return {"schema": "der-vectors/1", "accepted": accepted, "rejected": rejected}


# COSE keys (RFC 9052, 9053, 8230, 9864, 9964)

def filler(label, count):
    """Fixed bytes that look random."""
    return b"".join(hashlib.sha256(f"{label} {index}".encode()).digest() for index in range(count // 32 + 1))[:count]


def cose_vectors():
    accepted, rejected = [], []
    ec2 = ((-7, 1, 32), (-9, 1, 32), (-35, 2, 48), (-51, 2, 48), (-36, 3, 66), (-52, 3, 66), (-47, 8, 32))
    for algorithm, curve, count in ec2:
        key = {1: 2, 3: algorithm, -1: curve, -2: filler(f"x{curve}", count), -3: filler(f"y{curve}", count)}
        accepted.append((algorithm, key))
    for algorithm, curve, count in ((-8, 6, 32), (-19, 6, 32), (-53, 7, 57)):
        point = filler(f"okp{curve}", count)[:-1] + b"\x00"
        accepted.append((algorithm, {1: 1, 3: algorithm, -1: curve, -2: point}))
    modulus = b"\xc5" + filler("modulus", 254) + b"\x01"
    for algorithm in (-257, -258, -259, -37, -38, -39, -65535):
        accepted.append((algorithm, {1: 3, 3: algorithm, -1: modulus, -2: b"\x01\x00\x01"}))
    for algorithm, count in ((-48, 1312), (-49, 1952), (-50, 2592)):
        accepted.append((algorithm, {1: 7, 3: algorithm, -1: filler("akp", count)}))

    es256, ed25519, rs256 = accepted[0][1], accepted[7][1], accepted[10][1]

    def reject(key, change, code, label):
        changed = {**key, **change}
        encoded = cbor({name: value for name, value in changed.items() if value != "absent"})
        rejected.append({"hex": encoded.hex(), "code": code, "label": label})

    for label in (1, 3, -1, -2, -3):
        reject(es256, {label: "absent"}, "cose.missing-parameter", label)
    reject(es256, {-4: filler("d", 32)}, "cose.private-key", -4)
    reject(es256, {1: 4}, "cose.unknown-key-type", 1)
    reject(es256, {3: -4242}, "cose.unknown-algorithm", 3)
    reject(es256, {-1: 4242}, "cose.unknown-curve", -1)
    reject(es256, {3: -257}, "cose.key-type-mismatch", 1)
    reject(es256, {-1: 2}, "cose.curve-mismatch", -1)
    reject(es256, {-2: filler("x", 31)}, "cose.invalid-length", -2)
    reject(es256, {-3: True}, "cose.compressed-point", -3)
    reject(ed25519, {-2: bytes([1]) + bytes(31)}, "cose.small-order-point", -2)
    reject(ed25519, {-2: b"\xff" * 31 + b"\x7f"}, "cose.non-canonical-point", -2)
    reject(rs256, {-1: modulus[:-1] + b"\x02"}, "cose.invalid-modulus", -1)
    reject(rs256, {-1: modulus[:128]}, "cose.invalid-modulus", -1)
    reject(rs256, {-2: b"\x01"}, "cose.invalid-exponent", -2)
    reject(rs256, {-3: filler("d", 256)}, "cose.private-key", -3)
    keys = [{"algorithm": algorithm, "keyType": key[1], "hex": cbor(key).hex()} for algorithm, key in accepted]
    return {"schema": "cose-vectors/1", "accepted": keys, "rejected": rejected}


for name, vectors in (("cbor", cbor_vectors()), ("der", der_vectors()), ("cose", cose_vectors())):
    path = pathlib.Path(__file__).with_name(f"{name}.json")
    path.write_text(json.dumps(vectors, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
