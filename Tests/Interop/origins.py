# SPDX-License-Identifier: Apache-2.0
"""The cross-origin rule of `passkey-server`, with real clients: Chromium, curl, urllib, httpx and passkey's libcurl.

    origins.py PASSKEY PASSKEY_SERVER CERTIFICATE KEY AUTHORITY

CERTIFICATE is for the hosts below and issued by AUTHORITY. A proxy here serves their pages and passes requests for the API on, as
in a deployment. Chromium signs in at https://raxx.app with a virtual authenticator, and so gets the session cookie. Then pages of
each host, and clients that are no browsers, send requests with that cookie. The last line is "N passed, N failed".
"""

import http.client
import json
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from handshake import Program, Tally, Wrong, equal
from passkey_server import Server

HOME, ALLOWED, SIBLING, STRANGER = "raxx.app", "app.raxx.app", "www.raxx.app", "stranger.example"
API = f"https://{HOME}"
COOKIE = "__Host-raxx.session"
# A write that changes nothing.
WRITE, BODY = "/api/devices/apns", {"token": "0a1b2c3d"}
PAGE = b"<!doctype html><title>page</title><p>page"
NOT_PASSED_ON = {"connection", "transfer-encoding", "content-length", "keep-alive", "x-forwarded-proto"}


class Proxy(BaseHTTPRequestHandler):
    """Serves an empty page on each host, and the API on raxx.app. Records the API's answers."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.startswith("/api/"):
            return self.answer(200, [("Content-Type", "text/html")], PAGE)
        fields = {name: value for name, value in self.headers.items() if name.lower() not in NOT_PASSED_ON}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.backend, timeout=60)
        connection.request(self.command, self.path, content, fields | {"X-Forwarded-Proto": "https"})
        reply = connection.getresponse()
        body = reply.read()
        self.server.seen.append((self.command, self.path, self.headers.get("Sec-Fetch-Site"), reply.status))
        self.answer(reply.status, [pair for pair in reply.getheaders() if pair[0].lower() not in NOT_PASSED_ON], body)
        connection.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET

    def answer(self, status, fields, content):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class ProxyServer(ThreadingHTTPServer):
    def handle_error(self, *_):
        # Chromium opens connections that it does not use, some of them without TLS.
        pass


def start_proxy(backend, certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    proxy = ProxyServer(("127.0.0.1", 0), Proxy)
    proxy.daemon_threads = True
    proxy.socket = context.wrap_socket(proxy.socket, server_side=True, do_handshake_on_connect=False)
    proxy.backend, proxy.seen = backend, []
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    return proxy


class Chromium:
    """A headless Chromium with a virtual authenticator, through chromedriver."""

    def __init__(self, folder, port):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={"HOME": folder, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        )
        found = next(match for line in self.driver.stdout if (match := re.search(r"successfully on port (\d+)", line)))
        threading.Thread(target=self.driver.stdout.read, daemon=True).start()
        self.url = f"http://127.0.0.1:{found[1]}/session"
        try:
            self.start(folder, port)
        except BaseException:
            self.driver.terminate()
            raise

    def start(self, folder, port):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
        arguments += ["--ignore-certificate-errors", f"--host-resolver-rules=MAP * 127.0.0.1:{port}"]
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}
        session = self.ask("", {"capabilities": {"alwaysMatch": capabilities}})
        self.url += f"/{session['sessionId']}"
        device = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
        self.ask("/webauthn/authenticator", device | {"hasUserVerification": True, "isUserVerified": True})

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=120) as reply:
            return json.loads(reply.read())["value"]

    def open(self, host):
        self.ask("/url", {"url": f"https://{host}/page"})

    def run(self, script):
        """Runs the body of an async function in the page and returns its result."""
        text = f"const done = arguments[0]; (async () => {{ {script} }})().then(done, (e) => done('' + e))"
        return self.ask("/execute/async", {"script": text, "args": []})

    def cookie(self, name):
        return next((one["value"] for one in self.ask("/cookie") if one["name"] == name), None)

    def stop(self):
        try:
            self.ask("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()


CEREMONIES = """
const post = async (path, body) => {
  const reply = await fetch(path, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
  if (!reply.ok) throw await reply.text();
  return reply.json();
};
const creation = await post('/api/auth/register/options', {email: 'ada@raxx.app'});
const made = await navigator.credentials.create(
  {publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(creation.publicKey ?? creation)});
await post('/api/auth/register/verify', {credential: made.toJSON()});
const request = await post('/api/auth/login/options', {email: 'ada@raxx.app'});
const used = await navigator.credentials.get(
  {publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(request.publicKey ?? request)});
return await post('/api/auth/login/verify', {credential: used.toJSON()});
"""


def fetching(path, mode, kind):
    options = {"method": "POST", "mode": mode, "credentials": "include", "body": json.dumps(BODY)}
    options["headers"] = {"content-type": kind}
    return f"const r = await fetch('{API}{path}', {json.dumps(options)}); return r.type + ' ' + r.status;"


FORM = f"""
const frame = document.createElement('iframe'); frame.name = 'f'; document.body.append(frame);
const form = document.createElement('form');
Object.assign(form, {{method: 'post', action: '{API}/api/auth/logout', target: 'f', enctype: 'text/plain'}});
document.body.append(form);
await new Promise((done) => {{ frame.onload = done; form.submit(); setTimeout(done, 10000); }});
return 'sent';
"""


def browser(tally, proxy, chromium):
    def is_signed_in():
        chromium.open(HOME)
        equal(chromium.run("return (await fetch('/api/auth/me')).status"), 200)

    def asked(host, script, expected, statuses, site):
        chromium.open(host)
        proxy.seen.clear()
        found = chromium.run(script)
        answers = [(seen_site, status) for method, _, seen_site, status in proxy.seen if method == "POST"]
        if expected not in str(found):
            raise Wrong(found)
        # Without allowed statuses the browser must not send the request.
        equal(len(answers), 1 if statuses else 0)
        equal([answer for answer in answers if answer[0] != site or answer[1] not in statuses], [])
        is_signed_in()

    tally.expect("Chromium, same origin, fetch", lambda: asked(
        HOME, fetching(WRITE, "same-origin", "application/json"), "basic 200", {200}, "same-origin"))
    tally.expect("Chromium, allowed origin, fetch with CORS", lambda: asked(
        ALLOWED, fetching(WRITE, "cors", "application/json"), "cors 200", {200}, "same-site"))
    # A cookie with SameSite=Lax is sent from a sibling host, but not from another site. Cross-Origin-Resource-Policy hides
    # the reply from another site.
    rows = ((SIBLING, "same-site", {403}, "opaque 0"), (STRANGER, "cross-site", {401, 403}, "TypeError"))
    for host, site, statuses, unread in rows:
        tally.expect(f"Chromium, {site}, form", lambda: asked(host, FORM, "sent", statuses, site))
        tally.expect(f"Chromium, {site}, fetch without CORS", lambda: asked(
            host, fetching("/api/auth/logout", "no-cors", "text/plain"), unread, statuses, site))
        tally.expect(f"Chromium, {site}, fetch with CORS", lambda: asked(
            host, fetching("/api/auth/logout", "cors", "text/plain"), "TypeError", statuses, site))
        tally.expect(f"Chromium, {site}, fetch with a preflight", lambda: asked(
            host, fetching(WRITE, "cors", "application/json"), "TypeError", set(), site))


# Header fields of a request with the cookie, and whether the server takes it.
REQUESTS = [
    ({}, True),
    ({"Origin": API}, True),
    ({"Origin": f"https://{ALLOWED}"}, True),
    ({"Origin": f"https://{SIBLING}"}, False),
    ({"Origin": "null"}, False),
    ({"Sec-Fetch-Site": "same-origin"}, True),
    ({"Sec-Fetch-Site": "none"}, True),
    ({"Sec-Fetch-Site": "cross-site"}, False),
    ({"Sec-Fetch-Site": "same-site", "Origin": f"https://{ALLOWED}"}, True),
    ({"Sec-Fetch-Site": "cross-site", "Origin": f"https://{STRANGER}"}, False),
]


def programs(tally, port, authority, cookie):
    context = ssl.create_default_context(cafile=authority)

    def with_curl(fields):
        command = ["curl", "--silent", "--max-time", "60", "--cacert", authority, "--output", "/dev/null"]
        command += ["--write-out", "%{http_code}", "--connect-to", f"{HOME}:443:127.0.0.1:{port}", f"{API}{WRITE}"]
        for name, value in fields.items():
            command += ["--header", f"{name}: {value}"]
        return int(subprocess.run([*command, "--data", json.dumps(BODY)], capture_output=True, text=True).stdout)

    def with_urllib(fields):
        # urllib connects by name; the certificate is for localhost too.
        url = f"https://localhost:{port}{WRITE}"
        request = urllib.request.Request(url, data=json.dumps(BODY).encode(), headers=fields | {"Host": HOME})
        try:
            return urllib.request.urlopen(request, context=context, timeout=60).status
        except urllib.error.HTTPError as error:
            return error.code

    def with_httpx(fields):
        url = f"https://localhost:{port}{WRITE}"
        return httpx.post(url, json=BODY, headers=fields | {"Host": HOME}, verify=context, timeout=60).status_code

    for name, send in (("curl", with_curl), ("urllib", with_urllib), ("httpx", with_httpx)):
        for fields, is_taken in REQUESTS:
            kind = {"Cookie": f"{COOKIE}={cookie}", "Content-Type": "application/json"}
            tally.expect(f"{name}, {fields}", lambda: equal(send(fields | kind), 200 if is_taken else 403))


def by_libcurl(tally, passkey, server, certificate, key, authority):
    """passkey's client, with a cookie session of Yapt's profile."""
    with tempfile.TemporaryDirectory() as folder:
        backend = Server(server, folder, "--profile", "yapt", "--origin", API, "--trusted-proxy", "127.0.0.1")
        proxy = start_proxy(backend.port, certificate, key)
        common = ["--server", API, "--profile", "yapt", "--cacert", authority]
        program = Program(passkey, folder, *common, "--connect-to", f"{HOME}:443:127.0.0.1:{proxy.server_address[1]}")
        tally.expect("libcurl, register", lambda: program.run("register", "--user", "ada"))
        tally.expect("libcurl, write", lambda: program.run("request", "POST", "/api/auth/logout"))
        proxy.shutdown()
        backend.stop()


def main():
    passkey, server, certificate, key, authority = (str(Path(argument).resolve()) for argument in sys.argv[1:])
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        origins = ["--origin", API, "--origin", f"https://{ALLOWED}"]
        limits = ["--ceremonies-per-minute", "1000", "--ceremonies-per-account", "1000"]
        backend = Server(server, folder, "--profile", "raxx", "--trusted-proxy", "127.0.0.1", *origins, *limits)
        proxy = start_proxy(backend.port, certificate, key)
        port = proxy.server_address[1]
        Path(folder, "home").mkdir()
        chromium = Chromium(f"{folder}/home", port)
        try:
            chromium.open(HOME)
            tally.expect("Chromium, sign-in", lambda: equal("expiresAt" in chromium.run(CEREMONIES), True))
            cookie = chromium.cookie(COOKIE)
            tally.expect("Chromium, cookie", lambda: equal(cookie is not None, True))
            browser(tally, proxy, chromium)
        finally:
            chromium.stop()
        programs(tally, port, authority, cookie)
        proxy.shutdown()
        backend.stop()
    by_libcurl(tally, passkey, server, certificate, key, authority)
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(0 if tally.passed and not tally.failed else 1)


main()
