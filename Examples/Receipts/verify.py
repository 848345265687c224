#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies a receipt offline: verify.py RP-ID LOG-KEY FILE. Needs cryptography. See Documentation/Receipts.md."""
import base64, hashlib, json, sys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
MEMBERS = "receipt rpId action publicKey clientDataJSON authenticatorData signature record index hashes checkpoint"
def sha(data): return hashlib.sha256(data).digest()
def b64u(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def number(data): return int.from_bytes(data, "big")
def string(kind, data):  # a CBOR string
    n = len(data)
    return bytes([kind + n] if n < 24 else [kind + 24, n] if n < 256 else [kind + 25, *divmod(n, 256)]) + data
def require(condition, reason):
    if not condition: raise ValueError(reason)
def unb64(text, encode=lambda data: base64.b64encode(data).decode()):
    data = base64.b64decode(text.translate({45: 43, 95: 47}) + "=" * (-len(text) % 4))
    require(encode(data) == text, "base64")
    return data
def unb64u(text): return unb64(text, b64u)
def cbor(data, at=0):  # returns the item at an offset, and the offset behind it
    kind, n, at = data[at] >> 5, data[at] & 31, at + 1
    if n > 23: n, at = number(data[at:at + (1 << n - 24)]), at + (1 << n - 24)
    if kind < 2: return -1 - n if kind else n, at
    if kind < 4: return data[at:at + n] if kind == 2 else data[at:at + n].decode(), at + n
    require(kind == 5, "CBOR")
    items = {}
    for _ in range(n): (key, at) = cbor(data, at); items[key], at = cbor(data, at)
    return items, at
def check_signature(key, signature, message):
    kind = (key[1], key[3])
    if kind == (2, -7):
        point = ec.EllipticCurvePublicNumbers(number(key[-2]), number(key[-3]), ec.SECP256R1()).public_key()
        return point.verify(signature, message, ec.ECDSA(hashes.SHA256()))
    if kind == (1, -8): return ed25519.Ed25519PublicKey.from_public_bytes(key[-2]).verify(signature, message)
    require(kind == (3, -257), "algorithm")
    modulus = rsa.RSAPublicNumbers(number(key[-2]), number(key[-1])).public_key()
    modulus.verify(signature, message, padding.PKCS1v15(), hashes.SHA256())

def verify(file, rp_id, log_key):
    r = json.loads(file)
    require(json.dumps(r, separators=(",", ":"), ensure_ascii=False).encode() == file, "spelling")
    require(list(r) == MEMBERS.split() and r["receipt"] == 1 and r["rpId"] == rp_id, "members, version or RP ID")
    require([*r["action"]] in (["method", "path", "body"], ["method", "path", "bodySha256"]), "action")
    method, path, body = r["action"].values()
    require(all(t.isascii() and t.isprintable() for t in (rp_id, method, path, r["clientDataJSON"])), "text")
    digest = sha(unb64u(body)) if "body" in r["action"] else unb64u(body)
    texts = b"".join(string(0x60, text.encode()) for text in ("passkey action 1", method, path))
    action = sha(b"\x84" + texts + string(0x40, digest))
    client, data, signature = r["clientDataJSON"].encode(), unb64u(r["authenticatorData"]), unb64u(r["signature"])
    challenge = unb64u(json.loads(client)["challenge"])
    require(json.loads(client)["type"] == "webauthn.get" and len(challenge) > 68 and len(digest) == 32, "client data")
    require(challenge[20:52] == action, "challenge")
    require(len(data) > 36 and data[:32] == sha(rp_id.encode()) and data[32] & 5 == 5, "authenticator data")
    key = unb64u(r["publicKey"])
    check_signature(cbor(key)[0], signature, data + sha(client))
    name, log = log_key.split("+", 2)[0], unb64(log_key.split("+", 2)[2])
    text, lines = r["checkpoint"].rsplit("\n\n", 1)
    origin, size, root = text.split("\n")[:3]
    require(origin == name and origin.startswith(rp_id + "/audit/") and log[0] == 1, "origin of the log")
    blobs = [unb64(x[len(name) + 3:]) for x in lines.split("\n") if x.startswith(f"\u2014 {name} ")]
    signed = next(x[4:] for x in blobs if x[:4] == sha(name.encode() + b"\n" + log)[:4])
    ed25519.Ed25519PublicKey.from_public_bytes(log[1:]).verify(signed, text.encode() + b"\n")
    record, proof, at, last = unb64u(r["record"]), unb64u(r["hashes"]), r["index"], int(size) - 1
    node = sha(b"\0" + record)
    require(0 <= at <= last and len(proof) % 32 == 0, "index")
    for sibling in (proof[i:i + 32] for i in range(0, len(proof), 32)):
        require(last > 0, "proof")
        node = sha(b"\1" + (sibling + node if at & 1 or at == last else node + sibling))
        while at == last and at and not at & 1: at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    require(last == 0 and node == unb64(root), "root")
    entry, parts = cbor(record)[0], sha(key) + sha(client) + sha(data) + sha(signature)
    require((entry[5], entry[6], entry[7]) == ("step-up.confirmed", "action:" + b64u(action), "ok"), "record")
    require(entry[9]["assertion"] == b64u(sha(parts)), "assertion in the record")
    return {"method": method, "path": path, "time": entry[2], "account": b64u(entry[4])}

if __name__ == "__main__":
    try: print(json.dumps(verify(open(sys.argv[3], "rb").read(), sys.argv[1], sys.argv[2])))
    except Exception as error: sys.exit(f"refused: {type(error).__name__}: {error}")
