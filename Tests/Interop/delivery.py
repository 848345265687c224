# SPDX-License-Identifier: Apache-2.0
"""Judges the deliveries of passkey-server with other projects' servers: aiosmtpd for mail, h2 for APNs and FCM, and the
library of Standard Webhooks for webhooks.

Usage: delivery.py PROBE PASSKEY_SERVER SCRATCH_FOLDER. The last line is "N passed, N failed".
"""

import base64
import email
import email.policy
import json
import os
import subprocess
import sys
import time

import jwt
import standardwebhooks

from delivery_servers import HTTP2Server, MailServer, RawServer, WebhookServer, make_certificates, tls_context

probe, passkey_server, scratch = sys.argv[1:4]
passed = failed = 0


def check(name, condition, detail=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}", flush=True)


def notice_id(number):
    return base64.b64encode(number.to_bytes(16, "big")).decode()


def url_safe(standard):
    return standard.replace("+", "-").replace("/", "_").rstrip("=")


def run(**description):
    """Runs the probe and returns the results by the notice's id."""
    for number, item in enumerate(description["notices"]):
        item.setdefault("id", notice_id(number + 1))
    done = subprocess.run([probe], input=json.dumps(description).encode(), capture_output=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode()[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def expect(name, results, outcome, words="", count=1):
    good = len(results) == count and all(r["result"] == outcome and words in r.get("reason", "") for r in results)
    check(name, good, results)


certificates = make_certificates(scratch)
authority = certificates["authority"]
good = tls_context(certificates["good"])

# Webhooks

secret = "whsec_" + base64.b64encode(os.urandom(32)).decode()
other_secret = "whsec_" + base64.b64encode(os.urandom(32)).decode()
event = {"event": "credential.registered", "data": '{"account":"AQID","credential":"é"}'}


def webhook(port, secrets=(secret,), allowed=("127.0.0.0/8",), address="127.0.0.1", host="hooks.example", notices=None, **more):
    return run(
        sender="webhook", url=f"https://{host}:{port}/hook?key=k", secrets=list(secrets), allowed=list(allowed),
        authority=authority, resolve=[f"{host}:{port}:{address}"], notices=notices or [dict(event)], **more)


with WebhookServer(good) as server:
    results = webhook(server.port)
    expect("webhook: delivered", results, "delivered")
    headers, body, path = server.requests[0]
    verified = standardwebhooks.Webhook(secret).verify(body, headers)
    check("webhook: body", verified["type"] == "credential.registered" and verified["data"] == json.loads(event["data"]), verified)
    check("webhook: time", verified["timestamp"].endswith("Z") and abs(int(headers["webhook-timestamp"]) - time.time()) < 300)
    check("webhook: id is the notice's", headers["webhook-id"] == url_safe(notice_id(1)), headers["webhook-id"])
    check("webhook: media type and path", headers["content-type"] == "application/json" and path == "/hook?key=k", headers)
    try:
        standardwebhooks.Webhook(other_secret).verify(body, headers)
        check("webhook: another secret fails", False)
    except standardwebhooks.WebhookVerificationError:
        check("webhook: another secret fails", True)

    server.requests.clear()
    expect("webhook: two secrets", webhook(server.port, secrets=(other_secret, secret)), "delivered")
    headers, body, _ = server.requests[0]
    for each in (secret, other_secret):
        standardwebhooks.Webhook(each).verify(body, headers)
    check("webhook: both secrets verify during a change", True)

    server.requests.clear()
    many = webhook(server.port, notices=[dict(event, isConcurrent=n < 19) for n in range(20)])
    expect("webhook: twenty at once", many, "delivered", count=20)
    check("webhook: at most eight connections", server.connections <= 12, server.connections)
    check("webhook: ids differ", len({headers["webhook-id"] for headers, _, _ in server.requests}) == 20)

    server.requests.clear()
    webhook(server.port, notices=[dict(event, id=notice_id(7)), dict(event, id=notice_id(7))])
    check("webhook: a duplicate has the same id", len({h["webhook-id"] for h, _, _ in server.requests}) == 1)

    before = server.connections
    expect("webhook: loopback is refused", webhook(server.port, allowed=()), "retry", "not allowed")
    expect("webhook: a private name is refused", webhook(server.port, allowed=("10.0.0.0/8",)), "retry", "not allowed")
    check("webhook: a refused address gets no connection", server.connections == before, server.connections)
    # One of the name's addresses is allowed: only that one is connected to.
    with WebhookServer(good, address="127.0.0.2", port=server.port) as second:
        result = webhook(server.port, address="127.0.0.1,127.0.0.2", allowed=("127.0.0.2",))
        expect("webhook: an allowed address of several", result, "delivered")
        check("webhook: the other address gets no connection", server.connections == before and len(second.requests) == 1)

    for status in (400, 404, 500, 503):
        server.answer = lambda status=status: (status, {}, b"no")
        expect(f"webhook: status {status}", webhook(server.port), "retry", f"status {status}")
    server.answer = lambda: (429, {"Retry-After": "17"}, b"")
    results = webhook(server.port)
    check("webhook: Retry-After", results[0].get("after") == 17, results)
    server.answer = lambda: (410, {}, b"")
    expect("webhook: gone", webhook(server.port), "rejected", "410")
    with WebhookServer(good, address="127.0.0.1") as target:
        server.answer = lambda: (302, {"Location": f"https://hooks.example:{target.port}/"}, b"")
        expect("webhook: redirect", webhook(server.port), "retry", "redirect")
        server.answer = lambda: (307, {"Location": "http://169.254.169.254/latest/meta-data"}, b"")
        expect("webhook: redirect to a private address", webhook(server.port), "retry", "redirect")
        check("webhook: no redirect is followed", target.connections == 0)
    server.answer = lambda: (200, {}, b"x" * 1_000_000)
    expect("webhook: oversized body", webhook(server.port), "retry", "too large")
    server.answer = lambda: (200, {f"X-{n}": "y" * 1000 for n in range(90)}, b"")
    expect("webhook: oversized header", webhook(server.port), "retry", "too large")

dead = server.port
expect("webhook: dead", webhook(dead), "retry", "cannot be reached")
with RawServer(good, lambda connection: connection.recv(65536) and time.sleep(30)) as slow:
    start = time.monotonic()
    expect("webhook: slow", webhook(slow.port, totalSeconds=2), "retry", "time-out")
    check("webhook: the slow one is given up", time.monotonic() - start < 25)
with RawServer(None, lambda connection: time.sleep(30)) as silent:
    expect("webhook: no TLS handshake", webhook(silent.port, connectSeconds=1), "retry", "time-out")
head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"
with RawServer(good, lambda connection: (connection.recv(65536), connection.sendall(head)), reset=True) as reset:
    results = webhook(reset.port)
    expect("webhook: reset in mid-body", results, "retry", "connection was")
with RawServer(good, lambda connection: (connection.recv(65536), connection.sendall(head))) as cut:
    expect("webhook: cut in mid-body", webhook(cut.port), "retry", "connection was closed")
with RawServer(None, lambda connection: connection.sendall(b"220 not TLS\r\n")) as plain:
    expect("webhook: no TLS", webhook(plain.port), "retry", "TLS")
for name, words in (("elsewhere", "another host"), ("expired", "expired"), ("stranger", "trusted authority")):
    with WebhookServer(tls_context(certificates[name])) as wrong:
        expect(f"webhook: certificate {name}", webhook(wrong.port), "retry", words)
        check(f"webhook: certificate {name} sees no request", not wrong.requests)

# APNs


def write_key(name, *options):
    path = f"{scratch}/{name}.pem"
    subprocess.run(["openssl", "genpkey", *options, "-out", path], check=True, capture_output=True)
    public = subprocess.run(["openssl", "pkey", "-in", path, "-pubout"], check=True, capture_output=True).stdout
    return path, public


curve = ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
key_file, key = write_key("apns", *curve)
other_key_file, other_key = write_key("apns2", *curve)
token = "ab" * 32
push = {"event": "session.new-client", "data": '{"account":"AQID"}', "token": token}


def apns(port, notices=None, **more):
    return run(
        sender="apns", url=f"https://push.example:{port}", allowed=["127.0.0.0/8"], authority=authority,
        resolve=[f"push.example:{port}:127.0.0.1"], keyFile=key_file, otherKeyFile=other_key_file,
        notices=notices or [dict(push)], **more)


def judge_apns(request, public=None):
    """Judges a request as Apple documents it, and returns the claims of its token."""
    headers = request.headers
    scheme, _, text = headers["authorization"].partition(" ")
    assert scheme == "bearer" and jwt.get_unverified_header(text)["kid"] == "KEY1234567"
    claims = jwt.decode(text, public or key, algorithms=["ES256"], options={"verify_iat": False})
    assert claims["iss"] == "TEAM123456" and set(claims) == {"iss", "iat"}
    assert headers[":method"] == "POST" and headers[":path"] == f"/3/device/{token}"
    assert headers["apns-topic"] == "app.raxx.ios" and headers["apns-push-type"] in ("alert", "background")
    assert headers["apns-priority"] in ("5", "10") and len(headers["apns-collapse-id"]) <= 64
    assert int(headers["apns-expiration"]) > claims["iat"] - 1
    assert len(headers["apns-id"]) == 36 and len(request.body) <= 4096
    return claims


with HTTP2Server(good) as server:
    server.answer = lambda request: (200, {}, b"")
    results = apns(server.port, [
        dict(push), dict(push, event="order.filled"), dict(push, later=2999), dict(push, later=1),
        dict(push, changesKey=True)])
    expect("apns: delivered", results, "delivered", count=5)
    try:
        claims = [judge_apns(request, other_key if n == 4 else key) for n, request in enumerate(server.requests)]
        check("apns: requests", True)
        check("apns: the token is kept for fifty minutes", claims[0] == claims[2] and claims[3]["iat"] - claims[0]["iat"] == 3000, claims)
    except (AssertionError, jwt.PyJWTError, KeyError) as error:
        check("apns: requests", False, repr(error))
    alert, background = (json.loads(request.body) for request in server.requests[:2])
    check("apns: alert", alert["aps"]["alert"]["title"] == "New sign-in" and alert["data"] == {"account": "AQID"}, alert)
    check("apns: background", background["aps"] == {"content-available": 1}
          and server.requests[1].headers["apns-priority"] == "5", background)
    check("apns: one connection", server.connections == 1, server.connections)

    server.requests.clear()
    results = apns(server.port, [dict(push, isConcurrent=n < 99) for n in range(100)])
    expect("apns: a hundred at once", results, "delivered", count=100)
    check("apns: still one connection", server.connections == 2, server.connections)

    for status, body, outcome, words in (
        (410, {"reason": "Unregistered", "timestamp": 1_800_000_000_000}, "gone", ""),
        (410, {"reason": "Unregistered", "timestamp": 1_600_000_000_000}, "rejected", "Unregistered"),
        (400, {"reason": "BadDeviceToken"}, "rejected", "BadDeviceToken"),
        (413, {"reason": "PayloadTooLarge"}, "rejected", "413"),
        (403, {"reason": "InvalidProviderToken"}, "retry", "InvalidProviderToken"),
        (500, {"reason": "InternalServerError"}, "retry", "500"),
        (503, {"reason": "evil\nline"}, "retry", "status 503"),
    ):
        server.answer = lambda request: (status, {}, json.dumps(body).encode())
        results = apns(server.port)
        expect(f"apns: {status} {body['reason']!r}", results, outcome, words)
        check("apns: one line", "\n" not in results[0].get("reason", ""))
    server.answer = lambda request: (429, {"retry-after": "33"}, b'{"reason":"TooManyRequests"}')
    results = apns(server.port)
    check("apns: 429 backs off", results[0]["result"] == "retry" and results[0]["after"] == 33, results)

    # Apple's clock is ahead: the token has expired there although it is young enough here.
    expired = []

    def refuse_first(request):
        text = request.headers["authorization"]
        if not expired:
            expired.append(text)
            return 200, {}, b""
        return (403, {}, b'{"reason":"ExpiredProviderToken"}') if text == expired[0] else (200, {}, b"")

    server.answer = refuse_first
    results = apns(server.port, [dict(push), dict(push, later=1500)])
    expect("apns: an expired token is renewed", results, "delivered", count=2)
    server.answer = lambda request: (200, {}, b"x" * 1_000_000)
    expect("apns: oversized response", apns(server.port), "retry", "too large")
    server.answer = lambda request: None
    expect("apns: reset stream", apns(server.port), "retry")
    server.answer = lambda request: "cut"
    expect("apns: cut in mid-body", apns(server.port), "retry")
    server.answer = lambda request: "silence"
    expect("apns: slow", apns(server.port, totalSeconds=2), "retry", "time-out")
    check("apns: other device tokens are refused here", apns(server.port, [dict(push, token="../x")])[0]["result"] == "rejected")
expect("apns: dead", apns(server.port), "retry", "cannot be reached")
with HTTP2Server(tls_context(certificates["elsewhere"])) as wrong:
    expect("apns: wrong certificate", apns(wrong.port), "retry", "another host")

# FCM

account_key_file, account_key = write_key("fcm", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")


class Google:
    """Exchanges tokens and accepts messages, as Google documents it."""

    def __init__(self):
        self.exchanges, self.messages, self.tokens, self.lifetime = 0, [], set(), 3600
        self.refusal = None

    def __call__(self, request):
        if request.headers[":path"] == "/token":
            form = dict(part.split("=", 1) for part in request.body.decode().split("&"))
            assert form["grant_type"] == "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
            claims = jwt.decode(
                form["assertion"], account_key, algorithms=["RS256"], audience=self.audience,
                options={"verify_iat": False, "verify_exp": False})
            assert claims["iss"] == "push@raxx.iam.example" and claims["exp"] - claims["iat"] <= 3600
            assert claims["scope"].endswith("/auth/firebase.messaging")
            self.exchanges += 1
            text = f"ya29.token-{self.exchanges}"
            self.tokens = {text}
            return 200, {}, json.dumps({"access_token": text, "expires_in": self.lifetime, "token_type": "Bearer"}).encode()
        assert request.headers[":path"] == "/v1/projects/raxx-1/messages:send"
        if request.headers["authorization"].removeprefix("Bearer ") not in self.tokens:
            return 401, {}, b'{"error":{"status":"UNAUTHENTICATED"}}'
        if self.refusal:
            return self.refusal
        self.messages.append(json.loads(request.body)["message"])
        return 200, {}, b'{"name":"projects/raxx-1/messages/1"}'


with HTTP2Server(good) as server:
    google = server.answer = Google()
    google.audience = f"https://push.example:{server.port}/token"
    account = f"{scratch}/account.json"
    with open(account, "w", encoding="utf-8") as file, open(account_key_file, encoding="utf-8") as pem:
        json.dump({
            "type": "service_account", "project_id": "raxx-1", "private_key_id": "k1", "private_key": pem.read(),
            "client_email": "push@raxx.iam.example", "token_uri": google.audience, "universe_domain": "googleapis.com"}, file)

    def fcm(notices=None, **more):
        return run(
            sender="fcm", url=f"https://push.example:{server.port}", allowed=["127.0.0.0/8"], authority=authority,
            resolve=[f"push.example:{server.port}:127.0.0.1"], accountFile=account,
            notices=notices or [dict(push, token="fcm:token")], **more)

    item = dict(push, token="fcm:token")
    results = fcm([dict(item), dict(item, event="order.filled"), dict(item, later=3400), dict(item, later=100)])
    expect("fcm: delivered", results, "delivered", count=4)
    check("fcm: the token is exchanged once an hour", google.exchanges == 2, google.exchanges)
    first, second = google.messages[:2]
    check("fcm: notification", first["token"] == "fcm:token" and first["notification"]["title"] == "New sign-in"
          and all(isinstance(value, str) for value in first["data"].values()), first)
    check("fcm: data message", "notification" not in second and second["data"]["event"] == "order.filled", second)
    google.exchanges = 0
    expect("fcm: fifty at once", fcm([dict(item, isConcurrent=n < 49) for n in range(50)]), "delivered", count=50)
    check("fcm: one exchange for fifty", google.exchanges == 1, google.exchanges)

    def error(code, status, detail=None, **headers):
        details = [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": detail}] if detail else []
        return code, headers, json.dumps({"error": {"code": code, "status": status, "details": details}}).encode()

    for refusal, outcome, words in (
        (error(404, "NOT_FOUND", "UNREGISTERED"), "gone", ""),
        (error(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"), "rejected", "INVALID_ARGUMENT"),
        (error(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), "rejected", "SENDER_ID_MISMATCH"),
        (error(500, "INTERNAL", "INTERNAL"), "retry", "INTERNAL"),
        ((502, {}, b"<html>"), "retry", "502"),
    ):
        google.refusal = refusal
        expect(f"fcm: {refusal[0]}", fcm(), outcome, words)
    google.refusal = error(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", **{"retry-after": "60"})
    check("fcm: 429 backs off", fcm()[0].get("after") == 60)
    google.refusal = None
    google.lifetime = 1
    # The token is refused at once, and exchanged again.
    original = google.__call__
    server.answer = lambda request, seen=[]: (
        google(request) if request.headers[":path"] == "/token" or seen else (seen.append(1), (401, {}, b"{}"))[1])
    expect("fcm: a refused token is exchanged again", fcm(), "delivered")
    server.answer = lambda request: (400, {}, b'{"error":"invalid_grant"}')
    expect("fcm: refused exchange", fcm(), "retry", "token exchange")
    server.answer = lambda request: (200, {}, b'{"access_token":"a\\r\\nx: y","expires_in":3600}')
    expect("fcm: a token with a line break is refused", fcm(), "retry", "token exchange")
    # The same faults at the exchange of the token, then at the message.
    for place in ("/token", "/v1/projects/raxx-1/messages:send"):
        for fault, words, more in ((None, "", {}), ("cut", "", {}), ("silence", "time-out", {"totalSeconds": 2})):
            server.answer = lambda request: fault if request.headers[":path"] == place else google(request)
            expect(f"fcm: {fault or 'reset'} at {place}", fcm(**more), "retry", words)
expect("fcm: dead", fcm(), "retry", "cannot be reached")
with HTTP2Server(tls_context(certificates["elsewhere"])) as server:
    expect("fcm: wrong certificate", fcm(), "retry", "")
    check("fcm: a wrong certificate sees no request", not server.requests)

# Mail

address = {"address": "ada@raxx.app"}


def mail(port, scheme="smtp", user=None, notices=None, **more):
    at = f"{user}@" if user else ""
    return run(
        sender="mail", url=f"{scheme}://{at}localhost:{port}", authority=authority,
        notices=notices or [dict(event="session.opened", **address)], **more)


with MailServer(tls=tls_context(certificates["localhost"]), user="ada@raxx.app", password="p ä:%") as server:
    login = {"user": "ada%40raxx.app", "password": "p ä:%"}
    items = [
        dict(event=name, **address, code="ABCD-1234") for name in (
            "email.verification-requested", "email.change-requested", "email.changed", "email.replaced",
            "account.recovery-requested", "account.recovery-cancelled", "account.recovered", "account.approved",
            "account.rejected", "account.sign-up-attempted", "credential.registered", "session.opened",
            "session.new-client")]
    results = mail(server.port, notices=items, **login)
    expect("mail: delivered over STARTTLS with a login", results, "delivered", count=13)
    check("mail: TLS and login", all(m.was_encrypted and m.user == "ada@raxx.app" for m in server.messages))
    for item, received in zip(items, server.messages):
        message = email.message_from_bytes(received.content, policy=email.policy.default)
        name = item["event"]
        check(f"mail: {name} has no defects", not message.defects and not any(p.defects for p in message.walk()), message.defects)
        check(f"mail: {name} header", message["To"] == "ada@raxx.app" and message["From"].addresses[0].addr_spec == "no-reply@raxx.app"
              and "Raxx & Töchter" in message["Subject"] and message["Auto-Submitted"] == "auto-generated"
              and message["Message-ID"].endswith("@raxx.app>") and message["Date"].datetime is not None, message.items())
        plain, html = (part.get_content() for part in message.iter_parts())
        has_code = name in ("email.verification-requested", "account.recovery-requested")
        check(f"mail: {name} text", ("ABCD-1234" in plain) == has_code == ("ABCD-1234" in html), plain)
        check(f"mail: {name} HTML", "Raxx &amp; Töchter" in html and "Raxx & T" not in html, html)
        check(f"mail: {name} is ASCII in short lines", all(len(line) <= 78 for line in received.content.split(b"\r\n"))
              and received.content.isascii())
    check("mail: envelope", server.messages[0].sender == "no-reply@raxx.app" and server.messages[0].recipients == ["ada@raxx.app"])
    check("mail: EHLO names the sender's domain", server.messages[0].host == "raxx.app", server.messages[0].host)

    server.messages.clear()
    results = mail(server.port, notices=[dict(event="session.opened", id=notice_id(5), **address)] * 2, **login)
    ids = {email.message_from_bytes(m.content)["Message-ID"] for m in server.messages}
    check("mail: a duplicate has the same Message-ID", len(ids) == 1 and len(server.messages) == 2, ids)
    expect("mail: a code is needed", mail(server.port, notices=[dict(event="email.verification-requested", **address)], **login), "rejected", "code")
    expect("mail: an event without a template", mail(server.port, notices=[dict(event="order.lost", **address)], **login), "rejected", "template")

    templates = f"{scratch}/templates"
    os.mkdir(templates)
    with open(f"{templates}/order.filled.txt", "w", encoding="utf-8") as file:
        file.write("Subject: Ausgeführt: {{service}} – " + "é" * 80 + "\n\n.\n..\n" + "lange Zeile " * 40 + "\n{{address}}  \n")
    server.messages.clear()
    expect("mail: an own template", mail(
        server.port, notices=[dict(event="order.filled", **address)], templates=templates, **login), "delivered")
    message = email.message_from_bytes(server.messages[0].content, policy=email.policy.default)
    plain = next(message.iter_parts()).get_content()
    check("mail: long and special lines survive", plain.splitlines() == [
        ".", "..", "lange Zeile " * 40, "ada@raxx.app  "] and message["Subject"].endswith("é" * 80), plain)

    expect("mail: wrong password", mail(server.port, user="ada%40raxx.app", password="wrong"), "retry", "user name and password")
    server.reply_to_recipient = "550 no such user"
    expect("mail: unknown recipient", mail(server.port, **login), "rejected", "550")
    server.reply_to_recipient = "450 try later"
    expect("mail: greylisted", mail(server.port, **login), "retry", "450")
    server.reply_to_recipient = None
    server.reply_to_message = "554 looks like spam"
    expect("mail: refused message", mail(server.port, **login), "rejected", "554")
    server.reply_to_message = "451 disk full"
    expect("mail: server is full", mail(server.port, **login), "retry", "451")
    server.reply_to_message = None

    # The whole command, as an operator uses it.
    password_file = f"{scratch}/password"
    with open(os.open(password_file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write("p ä:%\n")
    server.messages.clear()
    options = ["--mail", f"smtp://ada%40raxx.app@localhost:{server.port}", "--mail-password", password_file, "--mail-cacert", authority]
    done = subprocess.run([passkey_server, "mail", "test", *options, "grace@raxx.app"], capture_output=True, text=True, timeout=120)
    check("mail test: accepted", done.returncode == 0 and "accepted a mail to grace@raxx.app" in done.stderr, done)
    check("mail test: arrived", len(server.messages) == 1 and server.messages[0].recipients == ["grace@raxx.app"])
    check("mail test: no secret is printed", "p ä:%" not in done.stderr + done.stdout)
    server.reply_to_recipient = "550 no"
    done = subprocess.run([passkey_server, "mail", "test", *options, "grace@raxx.app"], capture_output=True, text=True, timeout=120)
    check("mail test: refused", done.returncode == 1 and "550" in done.stderr, done)

with MailServer(tls=tls_context(certificates["localhost"]), implicit=True) as server:
    expect("mail: implicit TLS", mail(server.port, "smtps"), "delivered")
    check("mail: implicit TLS is used", server.messages[0].was_encrypted)
with MailServer(tls=None) as server:
    expect("mail: no STARTTLS offered", mail(server.port), "retry", "TLS")
    check("mail: nothing is sent without STARTTLS", not server.messages)
    expect("mail: unencrypted on this machine", mail(server.port, "smtp-unencrypted"), "delivered")
for name, words in (("elsewhere", "another host"), ("stranger-localhost", "trusted authority")):
    for implicit in (False, True):
        with MailServer(tls=tls_context(certificates[name]), implicit=implicit) as server:
            kind = "smtps" if implicit else "smtp"
            expect(f"mail: certificate {name}, {kind}", mail(server.port, kind), "retry", words)
            check("mail: nothing is sent to it", not server.messages)
expect("mail: dead", mail(server.port), "retry", "cannot be reached")
with RawServer(None, lambda connection: time.sleep(60)) as slow:
    start = time.monotonic()
    results = run(sender="mail", url=f"smtp-unencrypted://localhost:{slow.port}", notices=[dict(event="session.opened", **address)])
    expect("mail: slow", results, "retry", "time-out")
script = [b"220 hi\r\n", b"250 hi\r\n", b"250 ok\r\n", b"250 ok\r\n", b"354 go\r\n"]


def vanish(connection):
    connection.sendall(script[0])
    for line in script[1:]:
        connection.recv(65536)
        connection.sendall(line)
    connection.recv(100)


with RawServer(None, vanish, reset=True) as gone:
    expect("mail: reset in mid-body", mail(gone.port, "smtp-unencrypted"), "retry")
with RawServer(None, lambda connection: connection.sendall(b"220 " + b"x" * 2_000_000 + b"\r\n")) as endless:
    expect("mail: oversized reply", mail(endless.port, "smtp-unencrypted"), "retry")

print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
