# SPDX-License-Identifier: Apache-2.0
"""Asks a server over TLS, again and again, on connections that stay open.

    keep_alive.py PORT CERTIFICATES COUNT FOLDER

So many clients at once trust the certificates of a file, and go on until there is a file "stop" in the folder; once a few
hundred requests are answered there is one "begun". The last line is JSON: how many requests were answered, how many were
not, after how many answers the server ended the connection, and under which certificates (SHA-256) the answers came.
"""

import hashlib
import json
import random
import socket
import ssl
import sys
import threading
import time
from pathlib import Path

REQUEST = b"POST /load HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.answered = 0
        self.ended = 0
        self.lost = []
        self.certificates = {}


def read_answer(stream):
    """The status and the header fields of the next answer, whose body is read too."""
    status = stream.readline()
    if not status:
        raise EOFError("the connection ended without an answer")
    headers = {}
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers["content-length"])
    if len(stream.read(length)) != length:
        raise EOFError("the connection ended within an answer")
    return int(status.split()[1]), headers


def client(port, context, folder, tally):
    pauses = random.Random(threading.get_ident())
    while not (folder / "stop").exists():
        try:
            plain = socket.create_connection(("127.0.0.1", port), timeout=30)
            with context.wrap_socket(plain, server_hostname="localhost") as connection:
                shown = hashlib.sha256(connection.getpeercert(binary_form=True)).hexdigest()
                with connection.makefile("rb") as stream:
                    is_open = True
                    while is_open and not (folder / "stop").exists():
                        connection.sendall(REQUEST)
                        status, headers = read_answer(stream)
                        is_open = headers.get("connection", "").lower() != "close"
                        with tally.lock:
                            tally.answered += status == 200
                            tally.ended += not is_open
                            tally.certificates[shown] = tally.certificates.get(shown, 0) + 1
                            if status != 200:
                                tally.lost.append(f"status {status}")
                            if tally.answered == 300:
                                (folder / "begun").touch()
                        # Some come at once behind the answer, some when the connection has been idle.
                        time.sleep(pauses.choice([0, 0, 0.001, 0.02]))
        except Exception as error:  # Whatever it is, a request was not answered.
            with tally.lock:
                tally.lost.append(f"{type(error).__name__}: {error}")
            time.sleep(0.01)


def main():
    port, certificates, count, folder = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
    context = ssl.create_default_context(cafile=certificates)
    tally = Tally()
    threads = [threading.Thread(target=client, args=(port, context, folder, tally)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(
        json.dumps(
            {
                "answered": tally.answered,
                "ended": tally.ended,
                "lost": tally.lost,
                "certificates": sorted(tally.certificates),
            }
        )
    )


main()
