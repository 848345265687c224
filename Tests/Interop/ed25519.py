# SPDX-License-Identifier: Apache-2.0
"""Ed25519 after RFC 8032 §5.1, for tests that must not depend on a library. Slow, and not in constant time."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def sha512(data):
    return int.from_bytes(hashlib.sha512(data).digest(), "little")


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def are_equal(one, other):
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def compress(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(data):
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def expand(secret):
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return scalar & (1 << 254) - 8 | 1 << 254, digest[32:]


def public_key(secret):
    return compress(multiply(expand(secret)[0], BASE))


def sign(secret, message):
    scalar, prefix = expand(secret)
    public = compress(multiply(scalar, BASE))
    nonce = sha512(prefix + message) % ORDER
    commitment = compress(multiply(nonce, BASE))
    challenge = sha512(commitment + public + message) % ORDER
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def verify(public, message, signature):
    """Returns whether a signature is valid."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment = decompress(public), decompress(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or answer >= ORDER:
        return False
    challenge = sha512(signature[:32] + public + message) % ORDER
    return are_equal(multiply(answer, BASE), add(commitment, multiply(challenge, key)))
