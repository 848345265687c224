# SPDX-License-Identifier: Apache-2.0
"""Verifies a signed token of passkey-server with the published keys.

Python's standard library verifies no signatures, so this program runs openssl. With the package PyJWT a back end writes:

    keys = jwt.PyJWKClient("https://garden.example/.well-known/jwks.json")
    jwt.decode(token, keys.get_signing_key_from_jwt(token).key, ["ES256"], audience="orders", issuer="https://garden.example")

As a program it prints the subject, or why a token is refused:

    python3 verify_token.py --jwks jwks.json --issuer https://garden.example --audience orders TOKEN
"""

import argparse
import base64
import json
import os
import subprocess
import tempfile
import time

# A SubjectPublicKeyInfo of P-256 up to its point (RFC 5480).
PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")


class Refused(Exception):
    """The token is not valid here. The text says why."""


def decode(text):
    """Decodes base64url without padding."""
    if not text or any(not (c.isascii() and (c.isalnum() or c in "-_")) for c in text):
        raise Refused("form")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def der_integer(number):
    """Encodes a positive integer in DER."""
    number = number.lstrip(b"\0") or b"\0"
    number = b"\0" + number if number[0] & 0x80 else number
    return bytes([2, len(number)]) + number


def verify_signature(key, message, signature):
    """Verifies an ES256 signature (RFC 7518, 3.4) with a public key of the key set."""
    numbers = der_integer(signature[:32]) + der_integer(signature[32:])
    with tempfile.TemporaryDirectory() as folder:
        files = {"key.der": PREFIX + decode(key["x"]) + decode(key["y"]), "signature": bytes([0x30, len(numbers)]) + numbers}
        for name, content in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        command = ["openssl", "dgst", "-sha256", "-keyform", "DER", "-verify", "key.der", "-signature", "signature"]
        if subprocess.run(command, cwd=folder, input=message, capture_output=True, check=False).returncode != 0:
            raise Refused("signature")


def verify(token, keys, issuer, audience, now=None):
    """Returns the claims of a token for this audience; raises Refused for any other text."""
    parts = token.split(".")
    if len(parts) != 3:
        raise Refused("form")
    try:
        header, claims = (json.loads(decode(part)) for part in parts[:2])
        signature = decode(parts[2])
    except (ValueError, RecursionError) as error:
        raise Refused("form") from error
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise Refused("form")
    # The algorithm is that of our keys. The header only says whether it is the same.
    if header.get("alg") != "ES256" or "crit" in header:
        raise Refused("algorithm")
    key = next((key for key in keys["keys"] if key["kid"] == header.get("kid")), None)
    if key is None or (key["kty"], key["crv"], key["alg"]) != ("EC", "P-256", "ES256"):
        raise Refused("key")
    if len(signature) != 64:
        raise Refused("signature")
    verify_signature(key, ".".join(parts[:2]).encode(), signature)
    if claims.get("iss") != issuer:
        raise Refused("issuer")
    if claims.get("aud") != audience:
        raise Refused("audience")
    if not claims["iat"] - 60 <= (time.time() if now is None else now) < claims["exp"]:
        raise Refused("expired")
    return claims


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--jwks", required=True)
    parser.add_argument("--issuer", required=True)
    parser.add_argument("--audience", required=True)
    parser.add_argument("--now", type=int)
    parser.add_argument("token")
    options = parser.parse_args()
    with open(options.jwks, encoding="utf-8") as file:
        key_set = json.load(file)
    try:
        print(verify(options.token, key_set, options.issuer, options.audience, options.now)["sub"])
    except Refused as refusal:
        raise SystemExit(print(f"refused: {refusal}") or 1)
