# SPDX-License-Identifier: Apache-2.0
"""The database of schema.sql, for the peers in Python.

A sign-in is one transaction: the passkey's counter and a session. SQLite's write-ahead log with synchronous=FULL makes it durable
before the response.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
import time

ORIGIN = os.environ["PEER_ORIGIN"]
RP_ID = "localhost"
SECRET = os.environ["PEER_SECRET"]
COOKIE = {"httponly": True, "samesite": "lax", "path": "/"}
CEREMONY_SECONDS = 300
SESSION_SECONDS = 86_400

_local = threading.local()


class Refused(Exception):
    """The request does not fit the stored data."""


def database():
    """Returns the connection of this thread."""
    if not hasattr(_local, "database"):
        _local.database = sqlite3.connect(os.environ["PEER_DATABASE"], timeout=20, isolation_level=None)
        _local.database.execute("PRAGMA synchronous=FULL")
        _local.database.execute("PRAGMA foreign_keys=ON")
    return _local.database


class transaction:
    """A write transaction of this thread's connection."""

    def __enter__(self):
        database().execute("BEGIN IMMEDIATE")
        return database()

    def __exit__(self, kind, error, trace):
        database().execute("COMMIT" if kind is None else "ROLLBACK")


def register(name, handle, passkey, public_key, sign_count):
    """Stores an account with its passkey."""
    with transaction() as writer:
        writer.execute("INSERT INTO accounts VALUES (?, ?)", (handle, name))
        writer.execute("INSERT INTO passkeys VALUES (?, ?, ?, ?, NULL)", (passkey, handle, public_key, sign_count))


def find(passkey):
    """Returns the user handle, the public key and the counter of a passkey."""
    row = database().execute("SELECT handle, public_key, sign_count FROM passkeys WHERE id = ?", (passkey,)).fetchone()
    if row is None:
        raise Refused
    return row


def sign_in(passkey, handle, sign_count, challenge):
    """Stores a verified sign-in and returns the token of its session."""
    token = secrets.token_urlsafe(32)
    now = int(time.time())
    with transaction() as writer:
        writer.execute("UPDATE passkeys SET sign_count = ?, used = ? WHERE id = ?", (sign_count, now, passkey))
        writer.execute(
            "INSERT INTO sessions VALUES (?, ?, ?, ?)",
            (hashlib.sha256(token.encode()).digest(), handle, challenge, now + SESSION_SECONDS),
        )
    return token
