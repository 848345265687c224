# SPDX-License-Identifier: Apache-2.0
"""The servers that Scripts/bench --peers compares: how each starts, and what it does in a sign-in."""

import dataclasses
import importlib.metadata
import os
import pathlib
import subprocess
import sys

PYTHON = pathlib.Path(sys.executable).parent
CORES = os.cpu_count()
PROFILE = "Lab/Peers/profile.json"
PEERS = os.path.abspath("Lab/Peers")


@dataclasses.dataclass(frozen=True)
class Server:
    """A server, its command with {port}, {folder} and {database}, and the columns that describe it."""

    name: str
    database: str
    command: str
    # Python packages, or Debian packages with the prefix "deb:".
    packages: tuple = ()
    profile: str = PROFILE
    prepare: str = ""
    processes: str = ""
    commits: str = "1"
    omits: str = "–"

    @property
    def versions(self):
        """The versions of its software."""
        return ", ".join(map(version, self.packages)) or "commit " + output("git", "rev-parse", "--short=10", "HEAD")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def version(package):
    """Returns the name and the version of an installed package."""
    if not package.startswith("deb:"):
        return f"{package} {importlib.metadata.version(package)}"
    name = package.removeprefix("deb:")
    # Without Debian's epoch and revision.
    number = output("dpkg-query", "--show", "--showformat", "${Version}", name).split(":")[-1].rsplit("-", 1)[0]
    return f"{name.removeprefix('golang-github-').removesuffix('-dev')} {number}"


OURS = (
    "{programs}/passkey-server serve --listen 127.0.0.1:{port} --profile " + PROFILE + " --rp-id localhost"
    " --origin http://localhost:{port} --database {database} --secret {folder}/secret --access-log {folder}/access"
    " --ceremonies-per-minute 1000000 --ceremonies-per-account 1000000 --connections-per-address 1024"
)
# gunicorn's documentation recommends this number.
GUNICORN = (
    f"{PYTHON}/gunicorn --chdir {PEERS} --bind 127.0.0.1:{{port}} --workers {2 * CORES + 1} --threads 4"
    " --no-control-socket --log-level warning "
)
GUNICORN_PROCESSES = f"{2 * CORES + 1} workers of 4 threads"
APPLICATION = "audit records, rate limits, step-up, access log"

SERVERS = [
    Server("passkey-server, SQLite", "SQLite", OURS, processes="1 process"),
    Server("passkey-server, PostgreSQL", "PostgreSQL", OURS, processes="1 process"),
    Server(
        "duo-labs/webauthn, net/http, SQLite", "SQLite", "{programs}/go_site {port}",
        ("deb:golang-github-duo-labs-webauthn-dev", "deb:golang-go"), processes="1 process", omits=APPLICATION,
    ),
    Server(
        "py_webauthn, Starlette, uvicorn, SQLite", "SQLite",
        f"{PYTHON}/uvicorn --app-dir {PEERS} --host 127.0.0.1 --port {{port}} --workers {CORES} --no-access-log"
        " --log-level warning starlette_site:app",
        ("webauthn", "starlette", "uvicorn"), processes=f"{CORES} workers", omits=APPLICATION,
    ),
    Server(
        "python-fido2, Flask, gunicorn, SQLite", "SQLite", GUNICORN + "flask_site:app", ("fido2", "flask", "gunicorn"),
        processes=GUNICORN_PROCESSES, omits=APPLICATION,
    ),
    Server(
        "django-allauth, gunicorn, PostgreSQL", "PostgreSQL", GUNICORN + "allauth_site:application",
        ("django-allauth", "django", "gunicorn", "psycopg"), profile="Examples/Profiles/django-allauth.json",
        prepare=f"{PYTHON}/python {PEERS}/allauth_site.py", processes=GUNICORN_PROCESSES,
        # The session of the options, the passkey's last use, the user's last login, and the session with a new key, in three.
        commits="6", omits=APPLICATION,
    ),
]
