# SPDX-License-Identifier: Apache-2.0
"""Sends requests to a server over persistent TLS connections.

    keep_alive.py PORT CERTIFICATES COUNT FOLDER

COUNT concurrent clients trust the certificates in a file. They create a file "begun" in FOLDER after 300 responses, and continue until
FOLDER contains a file "stop". The last line is JSON: the number of responses, the failed requests, the number of responses after
which the server closed the connection, and the certificates (SHA-256) that the server presented.
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
    """Reads the next response; returns its status and header fields."""
    status = stream.readline()
    if not status:
        raise EOFError("the connection ended before a response")
    headers = {}
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers["content-length"])
    if len(stream.read(length)) != length:
        raise EOFError("the connection ended within a response")
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
                        # Send some requests at once, and some on an idle connection.
                        time.sleep(pauses.choice([0, 0, 0.001, 0.02]))
        except Exception as error:  # Any exception means a request without a response.
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
