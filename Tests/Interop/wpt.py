# SPDX-License-Identifier: Apache-2.0
"""Runs W3C's web-platform-tests of WebAuthn in a real Chromium, with the extension of `passkey browser`, and for comparison with
Chromium's virtual authenticator.

    wpt.py PASSKEY CHROMIUM CERTIFICATE KEY CHECKOUT [FILTER]

CHECKOUT is a folder of web-platform-tests with at least webauthn, resources, common and interfaces. It is only read. For each
test file the passes and failures of both runs are printed, then the failures with their messages. The last line is
"N passed, N failed" for the extension.
"""

import json
import os
import queue
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import trusted_key
from chromium import Chromium

HOST = "web-platform.test"
FOLDER = "webauthn"

# Sends the results of testharness.js to this program.
REPORT = """
add_completion_callback((tests, status) => {
  const results = tests.map(({name, status, message}) => ({name, status, message}));
  fetch('/control', {method: 'POST', body: JSON.stringify(
    {action: 'result', harness: status.status, message: status.message, results})});
});
"""

# What testdriver.js asks of a browser, which this program does.
VENDOR = """
const control = (action, details) => fetch('/control', {method: 'POST', body: JSON.stringify({action, ...details})})
  .then((reply) => reply.json()).then(({value, error}) => { if (error) throw error; return value; });
Object.assign(window.test_driver_internal, {
  in_automation: true,
  add_virtual_authenticator: (config) => control('add', {config}),
  remove_virtual_authenticator: (id) => control('remove', {id}),
  add_credential: (id, credential) => control('add_credential', {id, credential}),
  get_credentials: (id) => control('get_credentials', {id}),
  set_user_verified: (id, options) => control('set_user_verified', {id, options}),
  click: (element, {x, y}) => control('click', {x, y}),
});
"""

TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".css": "text/css"}


class Server(ThreadingHTTPServer):
    """Serves the checkout over TLS, and passes what pages ask of the browser to `asked`."""

    daemon_threads = True

    def __init__(self, checkout, certificate, key):
        super().__init__(("127.0.0.1", 0), Handler)
        self.checkout, self.asked = checkout, queue.Queue()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Says nothing of connections that the browser aborts."""

    def content(self, path):
        """Returns the file at a path, or None. Tests in a script get the page that web-platform-tests describes."""
        if path == "/resources/testharnessreport.js":
            return REPORT
        if path == "/resources/testdriver-vendor.js":
            return VENDOR
        if path == "/resources/WebIDLParser.js":
            path = "/resources/webidl2/lib/webidl2.js"
        script = re.fullmatch(r"(.*\.https\.window)\.html", path)
        if script:
            text = self.read(script[1] + ".js")
            scripts = ["/resources/testharness.js", "/resources/testharnessreport.js"]
            scripts += re.findall(r"// META: script=(\S+)", text or "") + [script[1] + ".js"]
            return "<!doctype html><meta charset=utf-8>" + "".join(f'<script src="{name}"></script>' for name in scripts)
        text = self.read(path)
        return text and self.substituted(text) if ".sub." in path else text

    def read(self, path):
        full = os.path.realpath(self.checkout + path)
        if not full.startswith(os.path.realpath(self.checkout) + "/") or not os.path.isfile(full):
            return None
        with open(full, encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def substituted(text):
        text = re.sub(r"\{\{(host|hosts\[\]\[\]|domains\[\])\}\}", HOST, text)
        text = re.sub(r"\{\{hosts\[(?:alt)?\]\[(\w*)\]\}\}", lambda found: f"{found[1] or 'alt'}.{HOST}", text)
        text = re.sub(r"\{\{domains\[(\w+)\]\}\}", lambda found: f"{found[1]}.{HOST}", text)
        return re.sub(r"\{\{ports\[\w+\]\[\d\]\}\}", "443", text)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Logs nothing."""

    def reply(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        text = self.server.content(path)
        kind = TYPES.get(os.path.splitext(path)[1], "text/plain")
        self.reply(200 if text is not None else 404, kind, text or "")

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = queue.Queue()
        self.server.asked.put((request, answer))
        self.reply(200, "application/json", json.dumps(answer.get()))


class Unsupported(Exception):
    """The authenticator cannot be made as a test asks."""


class Extension:
    """The authenticator of `passkey browser`: each test's configuration restarts the host with other options."""

    name = "extension"

    def __init__(self, passkey, folder):
        self.folder, self.browser = folder, None
        install = [
            passkey, "browser", "install", "--user-data-dir", f"{folder}/profile", "--approve", "always", "--memory",
        ]
        places = {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder}
        subprocess.run(install, env=os.environ | places, check=True, capture_output=True)
        # The host gets its options from a file, and says its process.
        self.options, self.process = f"{folder}/options", f"{folder}/process"
        self.write("--approve always --kind security-key")
        launcher = f"{folder}/profile/NativeMessagingHosts/app.raxx.passkey"
        with open(launcher, "w", encoding="utf-8") as file:
            file.write(
                f"#!/bin/sh\nHOME='{folder}'; export HOME\necho $$ >'{self.process}.new'\n"
                f"mv '{self.process}.new' '{self.process}'\n"
                f"exec '{passkey}' browser host --memory $(cat '{self.options}') \"$@\"\n"
            )

    def write(self, options):
        with open(self.options, "w", encoding="utf-8") as file:
            file.write(options)

    def attach(self, browser):
        self.browser = browser
        self.wait_for_host()

    def wait_for_host(self):
        deadline = time.monotonic() + 20
        while not os.path.exists(self.process):
            if time.monotonic() > deadline:
                raise RuntimeError("the host does not start")
            time.sleep(0.01)
        # The host answers the extension's greeting.
        time.sleep(0.3)

    def restart(self, options):
        self.write(options)
        with open(self.process, encoding="utf-8") as file:
            number = int(file.read())
        os.remove(self.process)
        os.kill(number, signal.SIGKILL)
        self.wait_for_host()

    def perform(self, request):
        action = request["action"]
        if action == "remove":
            return None
        if action != "add":
            raise Unsupported(f"the extension has no {action}")
        config = request["config"]
        options = ["--approve", "always" if config.get("isUserConsenting", True) else "never"]
        options += ["--kind", "passkey-provider" if config.get("transport") == "internal" else "security-key"]
        if not config.get("hasUserVerification", False):
            options.append("--no-fingerprint")
        self.restart(" ".join(options))
        return "passkey"


class Virtual:
    """Chromium's own virtual authenticator."""

    name = "virtual"

    def __init__(self, *_):
        self.browser = None

    def attach(self, browser):
        self.browser = browser

    def perform(self, request):
        action = request["action"]
        if action == "add":
            config = request["config"]
            extensions = config.get("extensions", [])
            protocol = config["protocol"]
            options = {
                "protocol": "u2f" if protocol == "ctap1/u2f" else "ctap2", "transport": config.get("transport", "usb"),
                "hasResidentKey": config.get("hasResidentKey", False),
                "hasUserVerification": config.get("hasUserVerification", False),
                "isUserVerified": config.get("isUserVerified", False),
                "automaticPresenceSimulation": config.get("isUserConsenting", True),
                "hasLargeBlob": "largeBlob" in extensions, "hasCredBlob": "credBlob" in extensions,
                "hasPrf": "prf" in extensions, "hasMinPinLength": "minPinLength" in extensions,
            }
            if protocol != "ctap1/u2f":
                options["ctap2Version"] = "ctap2_1" if protocol == "ctap2_1" else "ctap2_0"
            self.browser.send("WebAuthn.enable")
            return self.browser.send("WebAuthn.addVirtualAuthenticator", options=options)["authenticatorId"]
        if action == "remove":
            self.browser.send("WebAuthn.removeVirtualAuthenticator", authenticatorId=request["id"])
            return None
        if action == "add_credential":
            given = request["credential"]
            members = ("credentialId", "privateKey", "userHandle")
            encoded = {name: to_base64(given[name]) for name in members if given.get(name)}
            self.browser.send("WebAuthn.addCredential", authenticatorId=request["id"], credential=given | encoded)
            return None
        raise Unsupported(f"no {action}")


def to_base64(text):
    text = text.replace("-", "+").replace("_", "/")
    return text + "=" * (-len(text) % 4)


def run_file(browser, authenticator, server, path):
    """Opens a test file in a tab of its own, and does what it asks of the browser. Returns its results."""
    source = server.read(path.replace(".window.html", ".window.js")) or ""
    is_long = "timeout=long" in source or 'name="timeout" content="long"' in source
    browser.open(f"https://{HOST}{path}")
    deadline = time.monotonic() + (90 if is_long else 30)
    try:
        while True:
            try:
                request, answer = server.asked.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return {"harness": 2, "message": "the page did not end in time", "results": []}
            if request["action"] == "result":
                answer.put({})
                return request
            try:
                if request["action"] == "click":
                    for kind in ("mousePressed", "mouseReleased"):
                        browser.send(
                            "Input.dispatchMouseEvent", type=kind, x=request["x"], y=request["y"], button="left", clickCount=1,
                        )
                    answer.put({"value": None})
                else:
                    answer.put({"value": authenticator.perform(request)})
            except (Unsupported, RuntimeError) as error:
                answer.put({"error": str(error)})
    finally:
        browser.close_page()


def run(kind, passkey, chromium, server, key, paths):
    """Runs all files with one authenticator. Returns the results by file."""
    results = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        authenticator = kind(passkey, folder)
        extension = f"{folder}/passkey/browser/extension" if kind is Extension else None
        browser = Chromium(chromium, folder, server.port, key, host=HOST, extension=extension)
        try:
            authenticator.attach(browser)
            for path in paths:
                results[path] = run_file(browser, authenticator, server, path)
        finally:
            browser.close()
    return results


def counts(result):
    passed = sum(test["status"] == 0 for test in result["results"])
    return passed, len(result["results"]) - passed + (result["harness"] != 0)


def main():
    passkey, chromium, certificate, key, checkout, *rest = sys.argv[1:]
    chosen = re.compile(rest[0] if rest else "")
    names = sorted(os.listdir(f"{checkout}/{FOLDER}"))
    paths = [f"/{FOLDER}/{name}" for name in names if re.search(r"\.https\.(sub\.)?html$", name)]
    paths += [f"/{FOLDER}/{name[:-3]}.html" for name in names if name.endswith(".https.window.js")]
    # The name says that a person has to run it.
    paths = [path for path in paths if chosen.search(path) and "-manual." not in path]
    server = Server(checkout, certificate, key)
    trusted = trusted_key(certificate)
    runs = {kind: run(kind, passkey, chromium, server, trusted, paths) for kind in (Extension, Virtual)}
    print(f"{'file':62} extension  virtual")
    totals = {kind: [0, 0] for kind in runs}
    for path in paths:
        cells = []
        for kind, results in runs.items():
            passed, failed = counts(results[path])
            totals[kind][0] += passed
            totals[kind][1] += failed
            cells.append(f"{passed}/{passed + failed}")
        print(f"{path[len(FOLDER) + 2:]:62} {cells[0]:10} {cells[1]}")
    for kind, results in runs.items():
        print(f"\nfailures, {kind.name}:")
        for path, result in results.items():
            if result["harness"] != 0:
                print(f"{path}: {result.get('message')}")
            for test in result["results"]:
                if test["status"] != 0:
                    message = (test["message"] or "no message").splitlines()[0]
                    print(f"{path}: {test['name']}: {message}")
    print(f"\nvirtual authenticator: {totals[Virtual][0]} passed, {totals[Virtual][1]} failed")
    print(f"{totals[Extension][0]} passed, {totals[Extension][1]} failed")
    return 0 if totals[Extension][0] else 1


if __name__ == "__main__":
    sys.exit(main())
