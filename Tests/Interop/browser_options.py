# SPDX-License-Identifier: Apache-2.0
"""Compares what `passkey create` and `passkey get` make of options with what a Chromium makes of them.

    browser_options.py PASSKEY CHROMIUM CERTIFICATE KEY

browser-options.json has the options. Each is given to a page of https://raxx.app, with a virtual authenticator, and to `passkey`.
Both must succeed with the same values, or fail with the same exception, which must also be the one in the file. The file lists
where Chromium differs, with the reason; such a difference must exist. The last line is "N passed, N failed".
"""

import base64
import copy
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser import trusted_key
from chromium import Chromium
from handshake import Tally, Wrong

ORIGIN = "https://raxx.app"
DEVICE = {
    "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "usb", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True, "hasLargeBlob": True, "hasCredBlob": True,
    "hasMinPinLength": True, "hasPrf": True,
}
PARSERS = {"create": "parseCreationOptionsFromJSON", "get": "parseRequestOptionsFromJSON"}


def built(base, probe, credential):
    """Returns the options of a probe: the base with members set and removed."""
    options = copy.deepcopy(base)
    for path, value in list(probe.get("set", {}).items()) + [(path, None) for path in probe.get("remove", [])]:
        *outer, name = path.split(".")
        place = options
        for part in outer:
            place = place[int(part)] if isinstance(place, list) else place[part]
        if path in probe.get("remove", []):
            del place[name]
        else:
            place[name] = value
    return filled(options, credential)


def filled(value, credential):
    """Replaces "$credential" by a credential ID, and repetitions by what they mean."""
    if value == "$credential":
        return credential
    if isinstance(value, list):
        return [filled(one, credential) for one in value]
    if isinstance(value, dict):
        if "$text" in value:
            return value["$text"] * value["$times"]
        if "$element" in value:
            return [filled(value["$element"], credential)] * value["$times"]
        return {filled(name, credential): filled(one, credential) for name, one in value.items()}
    return value


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def shape(value):
    """The names and Booleans of extension results. Their texts depend on the keys."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in sorted(value.items())}
    return value if isinstance(value, bool) else ""


def made(response, stored):
    """What both must agree on: the values that the options determine."""
    inner = response["response"]
    return {
        "challenge": json.loads(decoded(inner["clientDataJSON"]))["challenge"],
        "is verified": bool(decoded(inner["authenticatorData"])[32] & 4),
        "algorithm": inner.get("publicKeyAlgorithm"),
        "extensions": shape(response["clientExtensionResults"]),
        "user": stored.get(response["id"]),
        "user handle": inner.get("userHandle"),
    }


class Browser:
    """A page of https://raxx.app in a Chromium with a virtual authenticator."""

    def __init__(self, program, folder, port, key):
        self.chromium = Chromium(program, folder, port, key)
        self.chromium.open(f"{ORIGIN}/")
        self.chromium.wait(f"document.readyState === 'complete' && location.origin === '{ORIGIN}'")
        self.chromium.send("WebAuthn.enable")
        self.device = self.chromium.send("WebAuthn.addVirtualAuthenticator", options=DEVICE)["authenticatorId"]

    def credentials(self):
        return self.chromium.send("WebAuthn.getCredentials", authenticatorId=self.device)["credentials"]

    def keep_only(self, credential):
        """Deletes all passkeys but one. The device has room for three."""
        for one in self.credentials():
            if base64.b64decode(one["credentialId"]) != decoded(credential):
                self.chromium.send("WebAuthn.removeCredential", authenticatorId=self.device, credentialId=one["credentialId"])

    def run(self, verb, options):
        """Returns the name of the exception, or "ok", and the response."""
        text = json.dumps(json.dumps(options))
        answer = self.chromium.run(f"""try {{
          const publicKey = PublicKeyCredential.{PARSERS[verb]}(JSON.parse({text}));
          const found = await navigator.credentials.{verb}({{publicKey}});
          return JSON.stringify({{name: 'ok', response: found.toJSON()}});
        }} catch (error) {{ return JSON.stringify({{name: error.name}}) }}""")
        answer = json.loads(answer)
        return answer["name"], answer.get("response")

    def stored(self):
        return {
            base64.urlsafe_b64encode(base64.b64decode(one["credentialId"])).decode().rstrip("="):
                [one.get("userName", ""), one.get("userDisplayName", "")]
            for one in self.credentials() if one["isResidentCredential"]
        }


class Passkey:
    """`passkey` with a vault of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.vault, self.kept = self.folder / "vault", self.folder / "kept"
        self.settings = ["--no-passphrase", "--vault", self.vault]
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": f"{folder}/state"}

    def call(self, *words, text=""):
        return subprocess.run(
            [self.program, *words, "--json", *self.settings], input=text, capture_output=True, text=True, env=self.environment,
        )

    def keep(self):
        shutil.copy(self.vault, self.kept)

    def restore(self):
        """Goes back to the passkeys at the time of `keep`."""
        shutil.copy(self.kept, self.vault)

    def run(self, verb, options):
        cost = ["--vault-cost", "test", "--accept-rollback", "--yes", "--origin", ORIGIN]
        result = self.call(verb, *cost, "-", text=json.dumps(options))
        if result.returncode == 0:
            return "ok", json.loads(result.stdout)
        found = re.search(r"\b[A-Z][A-Za-z]*Error\b", result.stdout)
        return (found.group() if found else f"exit {result.returncode}: {result.stderr}"), None

    def stored(self):
        lines = self.call("keys", "list").stdout.splitlines()
        return {
            one["id"]: [one["user"], one["displayName"]] for one in map(json.loads, lines) if one["discoverable"]
        }


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>page</title><p>page")

    def log_message(self, *_):
        pass


def served(certificate, key):
    """A server with an empty page, on a port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def compare(probe, bases, sides, credentials):
    """Runs a probe on both sides, and raises what differs."""
    verb = probe["verb"]
    found = {}
    for name, side in sides.items():
        result, response = side.run(verb, built(bases[verb], probe, credentials[name]))
        found[name] = result, made(response, side.stored()) if response else None
    results = {name: result for name, (result, _) in found.items()}
    expected = {"passkey": probe["result"], "chromium": probe.get("chromium", probe["result"])}
    if results != expected:
        raise Wrong(f"{results}, and not {expected}")
    values = [value for _, value in found.values()]
    if None in values:
        return
    wrong = {name for name in values[0] if values[0][name] != values[1][name]}
    if wrong != set(probe.get("values", [])):
        raise Wrong(f"these values differ: {[{name: value[name] for name in sorted(wrong)} for value in values]}")


def main():
    passkey, chromium, certificate, key = sys.argv[1:]
    with open(Path(__file__).with_name("browser-options.json")) as file:
        data = json.load(file)
    probes = data["same"] + [
        {**probe, "because": group["because"]} for group in data["different"] for probe in group["probes"]
    ]
    tally = Tally()
    server = served(certificate, key)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Browser(chromium, f"{folder}/chromium", server.server_port, trusted_key(certificate))
        sides = {"passkey": Passkey(passkey, folder), "chromium": page}
        try:
            first = copy.deepcopy(data["bases"]["create"])
            first["user"]["id"] = "b3RoZXI"
            first["extensions"] = {"prf": {}, "largeBlob": {"support": "required"}}
            credentials = {name: side.run("create", first)[1]["id"] for name, side in sides.items()}
            sides["passkey"].keep()
            for probe in probes:
                page.keep_only(credentials["chromium"])
                sides["passkey"].restore()
                words = {name: probe[name] for name in ("set", "remove") if name in probe}
                tally.expect(
                    f"{probe['verb']} {json.dumps(words)}", lambda: compare(probe, data["bases"], sides, credentials),
                )
        finally:
            page.chromium.close()
            server.shutdown()
    print(f"{len(probes)} options, {sum('because' in probe for probe in probes)} with a listed difference")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main())
