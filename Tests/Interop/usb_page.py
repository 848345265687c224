# SPDX-License-Identifier: Apache-2.0
"""A page that registers a passkey and signs in with it, in a Chromium that has nothing but the USB key.

usage: usb_page.py PASSKEY

The page sends both responses, and `passkey verify` judges them. Runs in the virtual machine of Scripts/try uhid."""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading

passkey = sys.argv[1]
folder = tempfile.mkdtemp()
received = threading.Event()
results = {}

registration = {
    "rp": {"id": "localhost", "name": "Test"},
    "user": {"id": "dXNlcg", "name": "ada", "displayName": "Ada"},
    "challenge": "cmVnaXN0cmF0aW9uLWNoYWxsZW5nZQ",
    "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
    "authenticatorSelection": {"residentKey": "required", "userVerification": "discouraged"},
    "timeout": 540000,
}
authentication = {
    "rpId": "localhost",
    "challenge": "YXV0aGVudGljYXRpb24tY2hhbGxlbmdl",
    "allowCredentials": [],
    "userVerification": "discouraged",
    "timeout": 540000,
}

PAGE = """<!doctype html><title>USB key</title><script type="module">
const report = (name, value) => fetch('/' + name, {method: 'POST', body: JSON.stringify(value)});
try {
  const creation = %s, request = %s;
  const made = await navigator.credentials.create(
    {publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(creation)});
  await report('registration', made.toJSON());
  request.allowCredentials = [{type: 'public-key', id: made.id, transports: ['usb']}];
  const signed = await navigator.credentials.get(
    {publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(request)});
  await report('authentication', signed.toJSON());
} catch (error) { await report('error', String(error)); }
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = (PAGE % (json.dumps(registration), json.dumps(authentication))).encode()
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        name = self.path[1:]
        results[name] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        if name in ("authentication", "error"):
            received.set()

    def log_message(self, *_):
        pass


def write(name, value):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        json.dump(value, file)
    return path


def verify(kind, options, *more):
    command = [
        passkey, "verify", "--" + kind, write(kind, results[kind]), "--options", write(kind + "-options", options),
        "--origin", origin, "--rp-id", "localhost", *more,
    ]
    subprocess.run(command, check=True)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
origin = f"http://localhost:{server.server_port}"
threading.Thread(target=server.serve_forever, daemon=True).start()
browser = subprocess.Popen(
    ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
     "--user-data-dir=" + os.path.join(folder, "profile"), origin],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
)
try:
    if not received.wait(540):
        sys.exit(f"the page did not answer in time; it sent: {sorted(results)}")
finally:
    browser.kill()
    browser.wait()
if "error" in results:
    sys.exit(f"the page failed: {results['error']}")
record = os.path.join(folder, "record")
verify("registration", registration, "--record-out", record)
verify("authentication", authentication, "--record", record)
print("signed in with the USB key")
