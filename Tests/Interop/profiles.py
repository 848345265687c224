# SPDX-License-Identifier: Apache-2.0
"""`passkey` against `passkey-server` over TLS, with the same profile on both sides.

    profiles.py PASSKEY PASSKEY_SERVER CERTIFICATE KEY AUTHORITY

CERTIFICATE is for raxx.app and issued by AUTHORITY. With each profile a user registers, signs in, sends a request and signs out.
The last line is "N passed, N failed".
"""

import json
import sys
import tempfile
from pathlib import Path

from handshake import Program, Tally, equal
from passkey_server import Server

ORIGIN, ADDRESS = "https://raxx.app", "ada@raxx.app"

# The profile, the options that name the user when registering and when signing in, and a request of the user's own.
JOURNEYS = [
    ("raxx", ["--user", ADDRESS], ["--user", ADDRESS], "/api/auth/credentials"),
    ("yapt", ["--user", "Ada of the Sea"], ["--user", "Ada of the Sea"], "/api/auth/devices"),
    ("aiday", ["--user", "ada", "--email", ADDRESS], ["--user", "ada"], "/api/v1/notifications/preferences"),
]


def travel(tally, passkey, server, authority, profile, registers, signs_in, target):
    with tempfile.TemporaryDirectory() as folder:
        connection = ["--connect-to", f"raxx.app:443:127.0.0.1:{server.port}", "--cacert", authority]
        program = Program(passkey, folder, "--server", ORIGIN, "--profile", profile, *connection, "--json")

        def expect(name, check):
            tally.expect(f"{profile}, {name}", check)

        expect("register", lambda: program.run("register", *registers))
        if profile == "aiday":
            expect("request before the approval", lambda: program.run("request", *signs_in, "GET", target, status=4))
            expect("approval", lambda: server.run("user", "approve", ADDRESS))
        expect("sign out after the registration", lambda: program.run("sign-out", *signs_in))
        expect("sign in", lambda: program.run("sign-in", *signs_in))
        expect("whoami", lambda: equal(json.loads(program.run("whoami", *signs_in))["user"], signs_in[1]))
        expect("request", lambda: json.loads(program.run("request", *signs_in, "GET", target)))
        expect("sign out", lambda: program.run("sign-out", *signs_in))
        expect("request after the sign-out", lambda: program.run("request", *signs_in, "GET", target, status=4))
        expect("sign in as an unknown user", lambda: program.run("sign-in", "--user", "nobody@raxx.app", status=5))


def main():
    passkey, program, certificate, key, authority = (Path(argument).resolve() for argument in sys.argv[1:])
    tally = Tally()
    for journey in JOURNEYS:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(program, folder, "--profile", journey[0], "--tls-certificate", certificate, "--tls-key", key)
            travel(tally, passkey, server, authority, *journey)
            tally.expect(f"{journey[0]}, the server stops", lambda: equal(server.stop(), 0))
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(0 if tally.passed and not tally.failed else 1)


main()
