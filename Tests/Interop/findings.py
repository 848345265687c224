# SPDX-License-Identifier: Apache-2.0
"""Repeats findings of `passkey audit` at servers of other projects, without `passkey`: findings.py SERVER PORT

Makes the responses with cbor2 and cryptography. Prints a line for each finding: what the server did with a valid response, and
with the changed one. The last line is "N passed, N failed"; a finding passes if the server shows it.
"""

import base64
import concurrent.futures
import hashlib
import http.cookiejar
import json
import secrets
import sys
import urllib.error
import urllib.request

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

NAME, PORT = sys.argv[1], int(sys.argv[2])
ORIGIN = f"http://localhost:{PORT}"


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Server:
    """The routes of a server. Options are at a path in the response; a credential is wrapped by a function."""

    def __init__(self, begin, finish, begin_sign_in, finish_sign_in, path=(), sign_in_path=None, wrap=None, sign_in_wrap=None):
        self.routes = (begin, finish, begin_sign_in, finish_sign_in)
        self.paths = (path, path if sign_in_path is None else sign_in_path)
        self.wraps = (wrap or (lambda c: c), sign_in_wrap or wrap or (lambda c: c))


ALLAUTH = "/_allauth/browser/v1"
SERVERS = {
    "shop": Server("POST /join/begin", "POST /join/finish", "POST /login/begin", "POST /login/finish"),
    "python-fido2-example": Server(
        "POST /api/register/begin", "POST /api/register/complete", "POST /api/authenticate/begin",
        "POST /api/authenticate/complete", ["publicKey"],
    ),
    "django-otp-webauthn": Server(
        "POST /join", "POST /webauthn/registration/complete/", "POST /webauthn/authentication/begin/",
        "POST /webauthn/authentication/complete/",
    ),
    "django-allauth": Server(
        "POST /join", f"POST {ALLAUTH}/account/authenticators/webauthn", f"GET {ALLAUTH}/auth/webauthn/login",
        f"POST {ALLAUTH}/auth/webauthn/login", ["data", "creation_options", "publicKey"],
        ["data", "request_options", "publicKey"], lambda c: {"name": "key", "credential": c}, lambda c: {"credential": c},
    ),
}
SERVER = SERVERS[NAME]


class Browser:
    def __init__(self):
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.name = "hand-" + secrets.token_hex(4)

    def send(self, route, body=None, fields=()):
        method, path = route.split(" ")
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(ORIGIN + path, data, {"Content-Type": "application/json", **dict(fields)}, method=method)
        try:
            with self.opener.open(request) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def begin(self, step, path):
        status, body = self.send(SERVER.routes[step], None if SERVER.routes[step].startswith("GET") else {"username": self.name})
        assert status == 200, (status, body)
        options = json.loads(body)
        for part in path:
            options = options[part]
        return options

    def client_data(self, kind, options, change):
        data = {"type": f"webauthn.{kind}", "challenge": options["challenge"], "origin": ORIGIN, "crossOrigin": False}
        data.update(change)
        return json.dumps(data).encode()

    def registration(self, options, data=None, flags=0x45, key=None, attestation=None, length=16, trailing=b"", **members):
        """Returns a registration, and keeps its key."""
        self.private = ec.generate_private_key(ec.SECP256R1())
        numbers = self.private.public_key().public_numbers()
        self.id = secrets.token_bytes(length)
        self.user = options["user"]["id"]
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        cose.update(key or {})
        authenticator_data = (
            hashlib.sha256(b"localhost").digest() + bytes([flags]) + bytes(4) + bytes(16)
            + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        )
        form, statement = attestation or ("none", {})
        response = {
            "clientDataJSON": b64(self.client_data("create", options, data or {})),
            "attestationObject": b64(
                cbor2.dumps({"fmt": form, "attStmt": statement, "authData": authenticator_data}) + trailing
            ),
        }
        return {
            "id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response, "clientExtensionResults": {},
            **members,
        }

    def assertion(self, options, data=None, flags=0x05, counter=0, user=None, **members):
        client_data = self.client_data("get", options, data or {})
        authenticator_data = hashlib.sha256(b"localhost").digest() + bytes([flags]) + counter.to_bytes(4, "big")
        signature = self.private.sign(
            authenticator_data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256())
        )
        response = {
            "clientDataJSON": b64(client_data), "authenticatorData": b64(authenticator_data), "signature": b64(signature),
            "userHandle": user or self.user,
        }
        return {
            "id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response, "clientExtensionResults": {},
            **members,
        }

    def register(self, **change):
        options = self.begin(0, SERVER.paths[0])
        return self.send(SERVER.routes[1], SERVER.wraps[0](self.registration(options, **change)))[0]

    def sign_in(self, **change):
        options = self.begin(2, SERVER.paths[1])
        return self.send(SERVER.routes[3], SERVER.wraps[1](self.assertion(options, **change)))[0]

    def cookies(self):
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)


passed = failed = 0


def finding(ids, text, holds):
    global passed, failed
    passed, failed = (passed + 1, failed) if holds else (passed, failed + 1)
    print(f"{'confirmed' if holds else 'NOT CONFIRMED'}  {ids}: {text}")


def signed_in():
    browser = Browser()
    assert browser.register() == 200 or NAME == "django-allauth"
    browser.jar.clear()
    return browser


def changed_registration(ids, text, accepts=True, **change):
    status = Browser().register(**change)
    finding(ids, f"{text}: {status}", (status == 200) == accepts and (accepts or status >= 500))


def changed_sign_in(ids, text, accepts=True, **change):
    browser = signed_in()
    status = browser.sign_in(**change)
    finding(ids, f"{text}: {status}", (status == 200) == accepts and (accepts or status >= 500))


def replayed_sign_in():
    """Sends one response twice with the cookies that the browser had before the first time."""
    browser = signed_in()
    options = browser.begin(2, SERVER.paths[1])
    before = browser.cookies()
    body = SERVER.wraps[1](browser.assertion(options))
    first, _ = browser.send(SERVER.routes[3], body)
    browser.jar.clear()
    second, _ = browser.send(SERVER.routes[3], body, {"Cookie": before}.items())
    return first, second


def parallel_sign_ins():
    """Sends one response six times at once, each time with the cookies of its ceremony."""
    browser = signed_in()
    options = browser.begin(2, SERVER.paths[1])
    cookie = browser.cookies()
    body = SERVER.wraps[1](browser.assertion(options))
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        tries = [Browser() for _ in range(6)]
        return list(pool.map(lambda one: one.send(SERVER.routes[3], body, {"Cookie": cookie}.items())[0], tries))


def sign_in_after_failure():
    """Sends a response that the server refuses, and then a valid one for the same challenge with the first cookies."""
    browser = signed_in()
    options = browser.begin(2, SERVER.paths[1])
    before = browser.cookies()
    failed, _ = browser.send(SERVER.routes[3], SERVER.wraps[1](browser.assertion(options, data={"origin": "https://evil.example"})))
    browser.jar.clear()
    valid = SERVER.wraps[1](browser.assertion(options))
    return failed, browser.send(SERVER.routes[3], valid, {"Cookie": before}.items())[0]


def cookie_after_sign_out():
    browser = signed_in()
    browser.sign_in()
    cookie = browser.cookies()
    assert browser.send("GET /me")[0] == 200
    browser.send("POST /logout", {})
    browser.jar.clear()
    return browser.send("GET /me", None, {"Cookie": cookie}.items())[0]


browser = signed_in()
status = browser.sign_in()
assert status == 200, f"a valid sign-in was refused: {status}"
print("a valid registration and a valid sign-in are accepted")

import socket  # noqa: E402

NOT_ON_CURVE = {-3: bytes(31) + b"\x05"}
OTHER = {"origin": f"http://localhost:{PORT}", "crossOrigin": True, "topOrigin": "https://evil.example"}


def raw(fields, body):
    with socket.create_connection(("localhost", PORT)) as connection:
        path = SERVER.routes[2].split(" ")[1]
        head = f"POST {path} HTTP/1.1\r\nHost: localhost:{PORT}\r\nContent-Type: application/json\r\n{fields}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode() + body)
        connection.settimeout(5)
        try:
            return connection.recv(100).split(b" ")[1:2]
        except TimeoutError:
            return [b"time-out"]


if NAME in ("shop", "python-fido2-example"):
    changed_registration("registration.cross-origin, registration.top-origin", "a response for a page in a foreign frame", data=OTHER)
    changed_sign_in("authentication.cross-origin, authentication.top-origin", "a response for a page in a foreign frame", data=OTHER)
    changed_registration("registration.key-off-curve", "a key whose point is not on the curve", key=NOT_ON_CURVE)
    changed_registration("registration.id-not-attested", "an id that is not the attested one", id=b64(b"another-id"), rawId=b64(b"another-id"))
    changed_sign_in("authentication.user-handle-other", "a response with the user handle of another account", user=b64(b"other"))
    changed_registration("registration.credential-id-long", "a credential ID of 1,024 bytes", length=1024)
    browser = Browser()
    options = browser.begin(0, SERVER.paths[0])
    before = browser.cookies()
    body = browser.registration(options)
    first, _ = browser.send(SERVER.routes[1], body)
    browser.jar.clear()
    second, _ = browser.send(SERVER.routes[1], body, {"Cookie": before}.items())
    finding("state.registration-replay", f"one registration twice, with the first cookie: {first}, {second}", (first, second) == (200, 200))
    replay = replayed_sign_in()
    finding("state.assertion-replay, by an attacker with the old cookie", f"one sign-in twice: {replay}", replay == (200, 200))
    statuses = parallel_sign_ins()
    finding("state.parallel", f"one sign-in six times at once: {statuses}", statuses.count(200) > 1)
    failed_status, valid_status = sign_in_after_failure()
    holds = failed_status != 200 and valid_status == 200
    finding("state.failed-attempt", f"a refused response, then a valid one: {failed_status}, {valid_status}", holds)
    status, _ = Browser().send(SERVER.routes[2], b'{"username":"a","pad":"' + b"x" * 2_000_000 + b'"}')
    finding("limits.body-size", f"a body of 2 MB: {status}", status == 200)

if NAME == "python-fido2-example":
    status, _ = Browser().send(SERVER.routes[2], b'{"username":')
    finding("http.json-trailing and others, cannot tell", f"a body that is no JSON: {status}", status == 200)
    changed_sign_in("authentication.origin-subdomain", "the origin of a subdomain", data={"origin": f"http://evil.localhost:{PORT}"})
    changed_sign_in("authentication.origin-scheme", "the origin with https", data={"origin": f"https://localhost:{PORT}"})
    changed_sign_in("authentication.origin-port", "the origin with another port", data={"origin": "http://localhost:1"})
    changed_sign_in("authentication.origin-prefix", "the text localhost:PORT.evil.example", data={"origin": f"{ORIGIN}.evil.example"})
    status = signed_in().sign_in(data={"origin": f"http://localhost.evil.example:{PORT}"})
    finding("authentication.origin-prefix, harmless", f"the origin localhost.evil.example: {status}", status != 200)
    changed_sign_in("authentication.origin-slash", "the origin with a slash at its end", data={"origin": f"{ORIGIN}/"})
    changed_registration("registration.credential-type", "a credential of the type password", type="password")
    changed_registration("registration.algorithm", "a key of an algorithm that was not offered", key={3: -47})
    changed_registration("registration.backup-state", "backed up, but not eligible", flags=0x55)
    changed_registration("registration.self-signature", "a packed statement with an invalid signature", attestation=("packed", {"alg": -7, "sig": b"no"}))
    changed_registration("registration.format-unknown", "an unknown attestation format", attestation=("unknown", {}))
    changed_registration("registration.member-type", "an id that is a number", False, id=1)
    browser = signed_in()
    first, second = browser.sign_in(counter=2), browser.sign_in(counter=1)
    finding("authentication.counter-back", f"the counters 2 and 1: {first}, {second}", (first, second) == (200, 200))

if NAME == "shop":
    changed_registration("registration.attestation-object-trailing", "a byte after the attestation object", trailing=b"\0")
    status = raw("Content-Length: 2\r\nContent-Length: 3", b"{} ")
    finding("http.smuggling-two-lengths", f"two lengths of a body: {status}", status == [b"200"])
    status = cookie_after_sign_out()
    finding("session.sign-out-ends, session.sign-out-ends-cookie", f"the kept cookie after sign-out: {status}", status == 200)
    one, other = signed_in(), None
    statuses, cookies = [], []
    for _ in range(6):
        one.jar.clear()
        one.sign_in()
        cookies.append(one.cookies())
    finding("session.sign-in-rotates", "two sign-ins within a second have the same cookie", len(set(cookies)) < len(cookies))
    status, _ = one.send("POST /logout", b"", {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}.items())
    finding("http.csrf-origin, http.csrf-fetch-site", f"a cross-site sign-out: {status}, then /me: {one.send('GET /me')[0]}", status == 200)
    one.sign_in()
    known_options, unknown_options = one.begin(2, ()), Browser().begin(2, ())
    known, unknown = len(known_options["allowCredentials"]), len(unknown_options["allowCredentials"])
    sizes = [len(json.dumps(options)) for options in (known_options, unknown_options)]
    finding("enumeration.options-size", f"characters of the options of a known and an unknown name: {sizes}", sizes[0] > sizes[1] + 20)
    finding("enumeration.options-credentials", f"allowCredentials of a known and an unknown name: {known}, {unknown}", (known, unknown) == (1, 0))
    status, _ = Browser().send(SERVER.routes[2], b"[" * 100_000 + b"]" * 100_000)
    finding("http.json-nesting", f"100,000 nested arrays: {status}", status == 500)

if NAME.startswith("django"):
    changed_registration("registration.cross-origin, registration.top-origin", "a response for a page in a foreign frame", data=OTHER)
    changed_sign_in("authentication.cross-origin, authentication.top-origin", "a response for a page in a foreign frame", data=OTHER)
    changed_registration("registration.key-off-curve", "a key whose point is not on the curve", key=NOT_ON_CURVE)
    changed_registration("registration.id-not-attested", "an id that is not the attested one", id=b64(b"another-id"), rawId=b64(b"another-id"))
    changed_registration("registration.credential-id-long", "a credential ID of 1,024 bytes", length=1024)
    browser = signed_in()
    browser.sign_in()
    cookie = browser.cookies()
    browser.sign_in()
    later = browser.cookies()
    browser.jar.clear()
    status, _ = browser.send("GET /me", None, {"Cookie": cookie}.items())
    kind = "the same" if later == cookie else "another"
    finding("session.sign-in-replaces", f"a sign-in in a session gives {kind} cookie; /me with the first: {status}", status == 200)

if NAME == "django-otp-webauthn":
    changed_registration("registration.attestation-object-trailing", "a byte after the attestation object", trailing=b"\0")
    changed_sign_in("authentication.user-handle-other", "a response with the user handle of another account", user=b64(b"other"))
    # A race: the requests have to read the challenge before one of them has deleted it.
    rounds = next((count for count in range(1, 41) if parallel_sign_ins().count(200) > 1), None)
    finding("state.parallel", f"one sign-in six times at once is accepted more than once in round {rounds}", rounds is not None)
    replay = replayed_sign_in()
    finding("state.assertion-replay, passed", f"one sign-in twice: {replay}", replay[0] == 200 and replay[1] != 200)

if NAME == "django-allauth":
    changed_sign_in("authentication.origin-slash", "the origin with a slash at its end", data={"origin": f"{ORIGIN}/"})
    changed_sign_in("authentication.credential-type", "a credential of the type password", type="password")
    changed_registration("registration.algorithm", "a key of an algorithm that was not offered", key={3: -47})
    failed_status, valid_status = sign_in_after_failure()
    holds = failed_status != 200 and valid_status == 200
    finding("state.failed-attempt", f"a refused response, then a valid one: {failed_status}, {valid_status}", holds)
    changed_sign_in("authentication.origin-subdomain", "the origin of a subdomain", data={"origin": f"http://evil.localhost:{PORT}"})
    changed_sign_in("authentication.origin-port", "the origin with another port", data={"origin": "http://localhost:1"})
    changed_sign_in("authentication.origin-prefix", "the text localhost:PORT.evil.example", data={"origin": f"{ORIGIN}.evil.example"})
    status = signed_in().sign_in(data={"origin": f"http://localhost.evil.example:{PORT}"})
    finding("authentication.origin-prefix, harmless", f"the origin localhost.evil.example: {status}", status != 200)
    changed_registration("registration.self-signature", "a packed statement with an invalid signature", attestation=("packed", {"alg": -7, "sig": b"no"}))
    browser = signed_in()
    first, second = browser.sign_in(counter=2), browser.sign_in(counter=1)
    finding("authentication.counter-back", f"the counters 2 and 1: {first}, {second}", (first, second) == (200, 200))
    statuses = parallel_sign_ins()
    finding("state.parallel", f"one sign-in six times at once: {statuses}", statuses.count(200) > 1)
    replay = replayed_sign_in()
    finding("state.assertion-replay, passed", f"one sign-in twice: {replay}", replay[0] == 200 and replay[1] != 200)

print(f"{passed} passed, {failed} failed")
