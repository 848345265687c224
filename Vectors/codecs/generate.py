#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the JSON files beside this file.

The encoders below share no code with the Swift modules under test. The output depends on nothing but this file:

    python3 Vectors/codecs/generate.py [FOLDER]     write into FOLDER (beside this file)
"""

import base64
import collections
import hashlib
import hmac
import json
import pathlib
import struct
import sys


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
    for encoded, diagnostic in (
        (head(0, (1 << 64) - 1), "18446744073709551615"), (head(1, (1 << 64) - 1), "-18446744073709551616"),
    ):
        example(encoded, diagnostic=diagnostic)
    for value, diagnostic in ((float("inf"), "Infinity"), (float("-inf"), "-Infinity"), (float("nan"), "NaN")):
        example(b"\xf9" + struct.pack(">e", value), diagnostic=diagnostic, canonical=False)
        # A shorter form exists, so these are not written back unchanged.
        for start, form in ((b"\xfa", ">f"), (b"\xfb", ">d")):
            example(start + struct.pack(form, value), diagnostic=diagnostic, roundtrip=False, canonical=False)
    for number, content, diagnostic in (
        (0, cbor("2026-11-23T00:00:00Z"), '0("2026-11-23T00:00:00Z")'), (1, cbor(1_800_000_000), "1(1800000000)"),
        (2, cbor(b"\x01" + bytes(8)), "18446744073709551616"), (3, cbor(b"\x01" + bytes(8)), "-18446744073709551617"),
        (23, cbor(b"\x01\x02"), "23(h'0102')"), (24, cbor(cbor("CBOR")), "24(h'6443424f52')"),
        (32, cbor("https://raxx.app"), '32("https://raxx.app")'),
    ):
        example(head(6, number) + content, diagnostic=diagnostic, canonical=False)
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


def der_integer(value):
    return der(2, value.to_bytes(((value if value >= 0 else ~value).bit_length() + 8) // 8, "big", signed=True))


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


# ECDSA signatures (FIPS 186-5, RFC 6979), with curves y² = x³ - 3x + b

Curve = collections.namedtuple("Curve", "algorithm hash identifier prime b x y order")

CURVES = (
    Curve(
        "ES256", "sha256", "2a8648ce3d030107", 2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
        0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
        0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5,
        0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
    ),
    Curve(
        "ES384", "sha384", "2b81040022", 2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef,
        0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7,
        0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f,
        0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973,
    ),
    Curve(
        "ES512", "sha512", "2b81040023", 2**521 - 1,
        0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00,
        0xc6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66,
        0x11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650,
        0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409,
    ),
)


def add(curve, left, right):
    """The sum of two points; None is the point at infinity."""
    if left is None or right is None:
        return left or right
    (x1, y1), (x2, y2) = left, right
    if x1 == x2 and (y1 + y2) % curve.prime == 0:
        return None
    slope = (
        (3 * x1 * x1 - 3) * pow(2 * y1, -1, curve.prime) if left == right
        else (y2 - y1) * pow(x2 - x1, -1, curve.prime))
    x3 = (slope * slope - x1 - x2) % curve.prime
    return x3, (slope * (x1 - x3) - y1) % curve.prime


def multiply(curve, scalar, point):
    total = None
    while scalar:
        if scalar & 1:
            total = add(curve, total, point)
        point, scalar = add(curve, point, point), scalar >> 1
    return total


def number(curve, data):
    """The leftmost bits of a hash, as many as the order has."""
    return int.from_bytes(data, "big") >> max(0, 8 * len(data) - curve.order.bit_length())


def nonce(curve, secret, digest):
    """The nonce of RFC 6979 §3.2."""
    width = (curve.order.bit_length() + 7) // 8
    seed = secret.to_bytes(width, "big") + (number(curve, digest) % curve.order).to_bytes(width, "big")
    value, key = b"\x01" * len(digest), bytes(len(digest))

    def mac(message):
        return hmac.digest(key, message, curve.hash)

    for step in (b"\x00", b"\x01"):
        key = mac(value + step + seed)
        value = mac(value)
    while True:
        candidate = b""
        while len(candidate) < width:
            value = mac(value)
            candidate += value
        if 0 < number(curve, candidate[:width]) < curve.order:
            return number(curve, candidate[:width])
        key = mac(value + b"\x00")
        value = mac(value)


def sign(curve, secret, message):
    digest = hashlib.new(curve.hash, message).digest()
    k = nonce(curve, secret, digest)
    r = multiply(curve, k, (curve.x, curve.y))[0] % curve.order
    return r, pow(k, -1, curve.order) * (number(curve, digest) + r * secret) % curve.order


def draw(label, index, length):
    """A draw of a seeded source: HKDF-SHA-256 with the index as the salt and the label as the info, in one block."""
    key = hmac.digest(bytes([index]), b"passkey codec vectors", "sha256")
    output, block = b"", b""
    while len(output) < length:
        block = hmac.digest(key, block + label.encode() + bytes([len(output) // 32 + 1]), "sha256")
        output += block
    return output[:length]


def signature_vectors():
    """A file for each curve, in Wycheproof's format with members for the private key and the draws that made it."""
    files = {}
    for curve in CURVES:
        # P-521 draws one byte less than its coordinates have, so that the scalar is below the order.
        width = (curve.prime.bit_length() + 7) // 8
        draws = [draw(curve.algorithm, 0, 32), draw(curve.algorithm, 1, min(width, 65))]
        secret = int.from_bytes(draws[1], "big")
        x, y = multiply(curve, secret, (curve.x, curve.y))
        point = b"\x04" + x.to_bytes(width, "big") + y.to_bytes(width, "big")
        identifiers = der(0x30, bytes.fromhex("06072a8648ce3d0201") + der(6, bytes.fromhex(curve.identifier)))
        tests = []

        def test(comment, message, signature, result, deterministic=False):
            tests.append({
                "tcId": len(tests) + 1, "comment": comment, "flags": ["RFC6979"] if deterministic else [],
                "msg": message.hex(), "sig": signature.hex(), "result": result})

        def pair(r, s):
            return der(0x30, der_integer(r) + der_integer(s))

        for message in (b"", b"passkey", bytes(range(256))):
            r, s = sign(curve, secret, message)
            test("deterministic nonce", message, pair(r, s), "valid", deterministic=True)
            test("the other value of s", message, pair(r, curve.order - s), "valid")
        message = b"passkey"
        r, s = sign(curve, secret, message)
        test("another message", b"passkez", pair(r, s), "invalid")
        for comment, changed in (
            ("r is 0", (0, s)), ("s is 0", (r, 0)), ("both are 0", (0, 0)), ("both are 1", (1, 1)),
            ("r is the order", (curve.order, s)), ("s is the order", (r, curve.order)),
            ("the order is added to r", (r + curve.order, s)), ("the order is added to s", (r, s + curve.order)),
            ("r is negative", (-r, s)), ("s is negative", (r, -s)), ("r and s are swapped", (s, r)),
            ("the order is subtracted from r", (r - curve.order, s)), ("one is added to r", (r + 1, s)),
            ("one is added to s", (r, s + 1)),
        ):
            test(comment, message, pair(*changed), "invalid")
        body = der_integer(r) + der_integer(s)
        for comment, signature in (
            ("no bytes", b""), ("an empty sequence", der(0x30, b"")), ("without s", der(0x30, der_integer(r))),
            ("a third integer", der(0x30, body + der_integer(1))), ("bytes after the sequence", der(0x30, body) + b"\x00"),
            ("a set", der(0x31, body)), ("without the last byte", der(0x30, body)[:-1]),
            ("a length that is too long", der(0x30, body, b"\x83\x00" + len(body).to_bytes(2, "big"))),
            ("an indefinite length", b"\x30\x80" + body + b"\x00\x00"),
            ("r with a leading zero", der(0x30, der(2, b"\x00" + der_integer(r)[2:]) + der_integer(s))),
            ("r and s without DER", r.to_bytes(width, "big") + s.to_bytes(width, "big")),
            ("a Boolean for r", der(0x30, der(1, b"\xff") + der_integer(s))),
        ):
            test(comment, message, signature, "invalid")
        group = {
            "publicKeyDer": der(0x30, identifiers + der(3, b"\x00" + point)).hex(), "publicKey": {}, "tests": tests}
        files[f"ecdsa-{curve.algorithm.lower()}"] = {
            "schema": "signature-vectors/1", "algorithm": curve.algorithm, "seed": "passkey codec vectors",
            "draws": [item.hex() for item in draws], "privateKey": draws[1].hex(), "testGroups": [group]}
    return files


# The extension prf in JSON (WebAuthn §10.1.4)

def prf_vectors():
    def value(label):
        return base64.urlsafe_b64encode(filler(label, 32)).decode().rstrip("=")

    def outputs(*labels):
        return {"results": dict(zip(("first", "second"), map(value, labels)))}

    first, both = {"first": value("input 1")}, {"first": value("input 1"), "second": value("input 2")}
    return {"schema": "prf-vectors/1", "webauthn": [
        {"inputs": {"prf": {}}, "create": [{"prf": {"enabled": True}}, {"prf": {"enabled": False}}], "get": [{"prf": {}}]},
        {"inputs": {"prf": {"eval": first}}, "create": [{"prf": {"enabled": True}}, {"prf": {"enabled": True, **outputs("a")}}],
         "get": [{"prf": {}}, {"prf": outputs("a")}]},
        {"inputs": {"prf": {"eval": both}}, "create": [{"prf": {"enabled": True, **outputs("a", "b")}}],
         "get": [{"prf": outputs("a", "b")}]},
        {"inputs": {"prf": {"evalByCredential": {value("credential"): both}, "eval": first}},
         "get": [{"prf": outputs("a")}, {"prf": outputs("a", "b")}]},
    ]}


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
folder = folder if folder.is_dir() else folder.parent
contents = {
    "cbor": cbor_vectors(), "der": der_vectors(), "cose": cose_vectors(), "prf": prf_vectors(), **signature_vectors(),
}
for name, vectors in contents.items():
    text = json.dumps(vectors, indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
