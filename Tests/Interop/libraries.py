# SPDX-License-Identifier: Apache-2.0
"""`passkey` at sites with libraries of other projects, and at applications, by their profiles in Examples/Profiles.

    libraries.py PASSKEY

Lab/AuditedServers/library_site.py serves the sites. The last line is "N passed, N failed".
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from handshake import Program, Tally, Wrong, equal

PROJECT = Path(__file__).resolve().parents[2]
# Each library and application with the name of a user, and options of the device. open-passkey offers ML-DSA first, which it
# verifies only with another library.
LIBRARIES = {
    "fastapi-passkeys": ("ada", []),
    "flask-security": ("ada@example.com", []),
    "django-passkeys": ("ada", []),
    "django-mfa2": ("ada", []),
    "open-passkey-flask": ("ada", ["--algorithm", "ES256"]),
    "canaille": ("ada@example.com", []),
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Site:
    def __init__(self, library):
        self.url = f"http://localhost:{(port := free_port())}"
        program = PROJECT / "Lab/AuditedServers/library_site.py"
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, program, library, str(port)], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 120
        while time.monotonic() < end and self.process.poll() is None:
            try:
                urllib.request.urlopen(self.url)
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise Wrong(f"{library} did not start")

    def stop(self):
        self.process.kill()
        self.process.wait()


def judged(program, url, group):
    """All checks of a group are judged: its positive control holds, and a finding is a fact about the library."""
    result = subprocess.run(
        [program.passkey, "audit", *program.common[2:], "--group", group, "--json", url], capture_output=True, text=True,
        env=program.environment)
    if result.returncode not in (0, 7):
        raise Wrong(f"audit ended with {result.returncode}: {result.stderr.strip()}")
    equal(json.loads(result.stdout)["unjudgedGroups"], [])


def loaded(program, url):
    result = subprocess.run(
        [program.passkey, "load", *program.common[2:], "--accounts", "2", "--rate", "5", "--duration", "1s",
         "--fail-above", "0.1%", "--json", url], capture_output=True, text=True, env=program.environment)
    if result.returncode != 0:
        raise Wrong(f"load ended with {result.returncode}: {result.stdout.strip()} {result.stderr.strip()}")


def travel(tally, passkey, library, user, options):
    profile = PROJECT / f"Examples/Profiles/{library}.json"
    site = Site(library)
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = Program(passkey, folder, "--server", site.url, "--profile", profile)

            def expect(name, check):
                tally.expect(f"{library}, {name}", check)

            expect("register", lambda: program.run("register", "--user", user, *options))
            expect("sign in", lambda: program.run("sign-in", "--user", user))
            expect("whoami", lambda: equal(user in program.run("whoami"), True))
            expect("sign out", lambda: program.run("sign-out"))
            expect("whoami after the sign-out", lambda: program.run("whoami", status=4))
            for group in ["registration", "authentication", "state", "session"]:
                expect(f"audit of {group}", lambda: judged(program, site.url, group))
            expect("load", lambda: loaded(program, site.url))
    finally:
        site.stop()


def main():
    passkey = Path(sys.argv[1]).resolve()
    tally = Tally()
    for library, (user, options) in LIBRARIES.items():
        tally.expect(f"{library}, start", lambda: travel(tally, passkey, library, user, options))
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(0 if tally.passed and not tally.failed else 1)


main()
