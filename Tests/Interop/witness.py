# SPDX-License-Identifier: Apache-2.0
"""A witness after C2SP tlog-witness, without the code of this project: witness.py FOLDER

Listens at a free port of this machine, prints its verifier key, a space and its URL, and serves until its standard input ends.
The folder holds its state: `logs` with the verifier keys of the logs, one a line, which it reads before each request; `state.json`
with the last checkpoint of each log; `cosigned` with one line for each cosignature; `refused` with one for each refusal; and
`fault`, which makes it misbehave while it exists: `unavailable` or `forge`.
"""

import hashlib
import http.server
import json
import os
import sys
import threading
import time

import ed25519
from tlog import WITNESS, Invalid, Key, b64, decode, number, parse_checkpoint, parse_note, require, verify_consistency

folder = sys.argv[1]
secret = hashlib.sha256(b"the witness of the tests").digest()
key = Key.of("witness.example/w1", WITNESS, ed25519.public_key(secret))
lock = threading.Lock()


def read(name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def write(name, text):
    """Replaces a file, and waits for the disk."""
    path = os.path.join(folder, name)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def note(name, line):
    with open(os.path.join(folder, name), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def cosignature(text):
    seconds = int(time.time())
    signature = ed25519.sign(secret, f"cosignature/v1\ntime {seconds}\n".encode() + text)
    if read("fault").strip() == "forge":
        signature = signature[:-1] + bytes([signature[-1] ^ 1])
    return f"\N{EM DASH} {key.name} {b64(key.key_id + seconds.to_bytes(8, 'big') + signature)}\n"


def add_checkpoint(body):
    """Returns the status, the media type and the text of the answer."""
    lines, checkpoint = body.split(b"\n\n", 1)
    lines = lines.decode().split("\n")
    require(lines[0].startswith("old "), "no old size")
    old_size = number(lines[0].removeprefix("old "))
    hashes = [decode(line) for line in lines[1:]]
    require(len(hashes) <= 63 and all(len(value) == 32 for value in hashes), "not hashes")
    text, signatures = parse_note(checkpoint)
    origin, size, root = parse_checkpoint(text)
    keys = [Key(line) for line in read("logs").split("\n") if line]
    keys = [known for known in keys if known.name == origin]
    if not keys:
        return 404, "text/plain", "unknown log\n"
    try:
        if not [known for known in keys if known.verify(text, signatures)]:
            return 403, "text/plain", "no signature of the log\n"
    except Invalid as error:
        return 403, "text/plain", f"{error}\n"
    if old_size > size:
        return 400, "text/plain", "the old size is larger\n"
    state = json.loads(read("state.json") or "{}")
    last = state.get(origin, {"size": 0, "root": ""})
    if old_size != last["size"]:
        return 409, "text/x.tlog.size", f"{last['size']}\n"
    if size == old_size > 0 and root != decode(last["root"]):
        return 422, "text/plain", "another root of this size\n"
    try:
        verify_consistency(old_size, decode(last["root"]), size, root, hashes)
    except Invalid as error:
        return 422, "text/plain", f"{error}\n"
    state[origin] = {"size": size, "root": b64(root)}
    write("state.json", json.dumps(state))
    note("cosigned", f"{origin} {size}")
    return 200, "text/plain", cosignature(text)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if read("fault").strip() == "unavailable":
            answer = 503, "text/plain", "unavailable\n"
        elif self.path != "/w1/add-checkpoint":
            answer = 404, "text/plain", "no such path\n"
        else:
            with lock:
                try:
                    answer = add_checkpoint(body)
                except (Invalid, ValueError, UnicodeDecodeError) as error:
                    answer = 400, "text/plain", f"{error}\n"
        status, media_type, text = answer
        if status != 200:
            note("refused", f"{status} {text.strip()}")
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"{key.text} http://127.0.0.1:{server.server_address[1]}/w1", flush=True)
sys.stdin.read()
