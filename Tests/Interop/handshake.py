# SPDX-License-Identifier: Apache-2.0
"""Registers and signs in with `passkey` at servers built on other projects' libraries.

    handshake.py PASSKEY CERTIFICATE KEY AUTHORITY

CERTIFICATE is for raxx.app and issued by AUTHORITY. Tests each server with each algorithm, with and without attestation, over HTTP
and then the ceremonies alone. The last line is "N passed, N failed".
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from relying_party import ORIGIN, PythonFido2, PyWebAuthn, RelyingParty

ALGORITHMS = {"ES256": -7, "EdDSA": -8, "RS256": -257}
EMAIL = "ada@example.com"

# The commands that need a device and a confirmation.
CEREMONIES = ("register", "sign-in", "create", "get")


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, name, check):
        try:
            check()
            self.passed += 1
        except Exception as error:
            self.failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}")


class Wrong(Exception):
    pass


def equal(found, expected):
    if found != expected:
        raise Wrong(f"{found!r}, and not {expected!r}")


class Program:
    """Runs `passkey` with its own vault and state folder."""

    def __init__(self, passkey, folder, *common):
        self.passkey, self.folder, self.common = passkey, Path(folder), common
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "PASSKEY_PASSPHRASE": "interop",
        }

    def run(self, command, *arguments, text=None, status=0):
        line = [self.passkey, command, *self.common, *arguments]
        if command in CEREMONIES:
            line += ["--vault", self.folder / "vault", "--vault-cost", "test", "--yes"]
        result = subprocess.run(line, input=text or "", capture_output=True, text=True, env=self.environment)
        if result.returncode != status:
            raise Wrong(f"{command} ended with {result.returncode}: {result.stderr.strip()}")
        return result.stdout


def over_http(passkey, tally, name, ceremonies, attestation, certificate, key, authority):
    server = RelyingParty(ceremonies, certificate, key)
    with tempfile.TemporaryDirectory() as folder:
        common = ["--server", ORIGIN, "--connect-to", f"raxx.app:443:127.0.0.1:{server.port}", "--cacert", authority]
        program = Program(passkey, folder, *common, "--json")
        tally.expect(f"{name}, register", lambda: register(program, server, attestation))
        tally.expect(f"{name}, sign in", lambda: program.run("sign-in", "--user", EMAIL))
        tally.expect(f"{name}, whoami", lambda: equal(EMAIL in program.run("whoami", "--user", EMAIL), True))
        tally.expect(f"{name}, sign out", lambda: sign_out(program, server))
        tally.expect(f"{name}, sign in with any passkey", lambda: program.run("sign-in"))
    server.stop()


def register(program, server, attestation):
    program.run("register", "--user", EMAIL)
    found = server.users.passkeys[EMAIL].format
    if found is not None:
        equal(found, "packed" if attestation == "direct" else "none")


def sign_out(program, server):
    program.run("sign-out", "--user", EMAIL)
    program.run("whoami", "--user", EMAIL, status=4)


def by_json(passkey, tally, name, ceremonies):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(passkey, folder, "--origin", ORIGIN)
        registered = {}

        def create():
            options, state = ceremonies.begin_registration(b"0123456789abcdef", EMAIL)
            response = json.loads(program.run("create", text=json.dumps(options)))
            registered["passkey"] = ceremonies.finish_registration(state, response)

        def get():
            options, state = ceremonies.begin_sign_in([registered["passkey"]])
            response = json.loads(program.run("get", text=json.dumps(options)))
            ceremonies.finish_sign_in(state, response, registered["passkey"])

        def tampered():
            options, state = ceremonies.begin_sign_in([registered["passkey"]])
            other = dict(options.get("publicKey", options))
            other["challenge"] = ("A" if other["challenge"][0] != "A" else "B") + other["challenge"][1:]
            response = json.loads(program.run("get", text=json.dumps(other)))
            try:
                ceremonies.finish_sign_in(state, response, registered["passkey"])
            except Exception:
                return
            raise Wrong("a response to another challenge was accepted")

        tally.expect(f"{name}, create", create)
        tally.expect(f"{name}, get", get)
        tally.expect(f"{name}, get for another challenge", tampered)


def main():
    passkey, certificate, key, authority = sys.argv[1:]
    tally = Tally()
    for kind in (PyWebAuthn, PythonFido2):
        for algorithm, number in ALGORITHMS.items():
            for attestation in ("none", "direct"):
                name = f"{kind.__name__}, {algorithm}, {attestation}"
                ceremonies = kind(number, attestation)
                over_http(passkey, tally, name, ceremonies, attestation, certificate, key, authority)
                by_json(passkey, tally, name, ceremonies)
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(0 if tally.passed and not tally.failed else 1)


if __name__ == "__main__":
    main()
