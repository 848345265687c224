# SPDX-License-Identifier: Apache-2.0
"""Yapt's routes once more, on py_webauthn alone, and `passkey --profile yapt` against them.

    yapt.py PASSKEY CERTIFICATE KEY AUTHORITY

CERTIFICATE is for raxx.app and issued by AUTHORITY. The server is written from the routes' description and shares no code with
`passkey-server`. The last line is "N passed, N failed".
"""

import json
import secrets
import ssl
import sys
import tempfile
import threading
from datetime import datetime, timezone
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from handshake import Program, Tally, Wrong, equal
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

RP_ID, ORIGIN = "raxx.app", "https://raxx.app"
COOKIE = "yapt.sid"
ATTRIBUTES = "HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000; Secure"
NAME = "Ada of the Sea"


class Refusal(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class User:
    def __init__(self, name):
        self.id, self.handle, self.name, self.devices = secrets.token_hex(12), secrets.token_bytes(32), name, []

    def described(self):
        return {"id": self.id, "username": self.name, "displayName": self.name, "isAdmin": False}


class Device:
    def __init__(self, verified, transports):
        self.id, self.credential_id = secrets.token_hex(8), verified.credential_id
        self.public_key, self.count = verified.credential_public_key, verified.sign_count
        self.kind = "singleDevice" if verified.credential_device_type.value == "single_device" else "multiDevice"
        self.is_backed_up, self.transports = verified.credential_backed_up, transports
        self.created = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def described(self):
        return {
            "id": self.id,
            "credentialId": bytes_to_base64url(self.credential_id),
            "deviceType": self.kind,
            "backedUp": self.is_backed_up,
            "transports": self.transports,
            "createdAt": self.created,
        }


class Yapt:
    """The state of the server. A session is a dictionary that its cookie names: a ceremony, then a user."""

    def __init__(self):
        self.users, self.sessions, self.lock = {}, {}, threading.Lock()
        self.routes = {
            ("POST", "/api/auth/register/generate-options"): self.begin_registration,
            ("POST", "/api/auth/register/verify"): self.finish_registration,
            ("POST", "/api/auth/login/generate-options"): self.begin_sign_in,
            ("POST", "/api/auth/login/verify"): self.finish_sign_in,
            ("GET", "/api/auth/me"): lambda session, _: {"user": signed_in(session).described()},
            ("POST", "/api/auth/logout"): self.sign_out,
            ("POST", "/api/auth/add-device/generate-options"): self.begin_adding,
            ("POST", "/api/auth/add-device/verify"): self.finish_adding,
            ("GET", "/api/auth/devices"): self.devices,
        }

    def user(self, name):
        return self.users.get(name.casefold())

    def begin_registration(self, session, body):
        name = body.get("username") or ""
        if len(name) < 3:
            raise Refusal(400, "user names have at least 3 characters")
        if self.user(name):
            raise Refusal(409, "this user name is taken")
        return self.creation_options(session, User(name))

    def creation_options(self, session, user):
        options = generate_registration_options(
            rp_id=RP_ID,
            rp_name="Yapt",
            user_id=user.handle,
            user_name=user.name,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.PREFERRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=one.credential_id) for one in user.devices],
        )
        session["begun"] = (options.challenge, user)
        return json.loads(options_to_json(options))

    def created(self, session, credential):
        challenge, user = session.pop("begun", None) or refuse(400, "no registration was begun")
        verified = verify_registration_response(
            credential=credential, expected_challenge=challenge, expected_rp_id=RP_ID, expected_origin=ORIGIN
        )
        return user, Device(verified, credential["response"].get("transports", []))

    def finish_registration(self, session, body):
        user, device = self.created(session, body)
        if self.user(user.name):
            raise Refusal(409, "this user name is taken")
        self.users[user.name.casefold()] = user
        user.devices.append(device)
        session["user"] = user
        return {"verified": True, "user": user.described()}

    def begin_sign_in(self, session, body):
        name = body.get("username") or refuse(400, "name the user")
        user = self.user(name) or refuse(404, "unknown user")
        options = generate_authentication_options(
            rp_id=RP_ID,
            allow_credentials=[PublicKeyCredentialDescriptor(id=one.credential_id) for one in user.devices],
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        session["begun"] = (options.challenge, user)
        return json.loads(options_to_json(options))

    def finish_sign_in(self, session, body):
        challenge, user = session.pop("begun", None) or refuse(400, "no sign-in was begun")
        used = base64url_to_bytes(body["rawId"])
        device = next((one for one in user.devices if one.credential_id == used), None) or refuse(400, "unknown device")
        verified = verify_authentication_response(
            credential=body,
            expected_challenge=challenge,
            expected_rp_id=RP_ID,
            expected_origin=ORIGIN,
            credential_public_key=device.public_key,
            credential_current_sign_count=device.count,
        )
        device.count = verified.new_sign_count
        session["user"] = user
        return {"verified": True, "user": user.described()}

    def sign_out(self, session, _):
        session.clear()
        return {"message": "signed out"}

    def begin_adding(self, session, _):
        return self.creation_options(session, signed_in(session))

    def finish_adding(self, session, body):
        user, device = self.created(session, body)
        if user is not signed_in(session):
            raise Refusal(400, "another user")
        user.devices.append(device)
        return {"verified": True, "message": "added", "user": user.described()}

    def devices(self, session, _):
        return {"devices": [one.described() for one in signed_in(session).devices]}

    def delete_device(self, session, identifier):
        user = signed_in(session)
        device = next((one for one in user.devices if one.id == identifier), None) or refuse(404, "unknown device")
        if len(user.devices) == 1:
            raise Refusal(400, "this is the last device")
        user.devices.remove(device)
        return {"message": "deleted"}


def refuse(status, text):
    raise Refusal(status, text)


def signed_in(session):
    return session.get("user") or refuse(401, "not signed in")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        yapt = self.server.yapt
        with yapt.lock:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            cookie = SimpleCookie(self.headers.get("Cookie") or "").get(COOKIE)
            name = cookie.value if cookie and cookie.value in yapt.sessions else secrets.token_urlsafe(24)
            session = yapt.sessions.setdefault(name, {})
            try:
                self.answer(200, self.carry_out(session, json.loads(content or b"{}")), name)
            except Refusal as refusal:
                self.answer(refusal.status, {"error": str(refusal)}, name)
            except Exception as error:  # Any exception of the library is a refusal.
                self.answer(400, {"error": f"{type(error).__name__}: {error}"}, name)

    do_GET = do_DELETE = do_POST

    def carry_out(self, session, body):
        folder, _, last = self.path.rpartition("/")
        if self.command == "DELETE" and folder == "/api/auth/devices":
            return self.server.yapt.delete_device(session, last)
        route = self.server.yapt.routes.get((self.command, self.path)) or refuse(404, "no such route")
        return route(session, body)

    def answer(self, status, members, name):
        content = json.dumps(members).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Set-Cookie", f"{COOKIE}={name}; {ATTRIBUTES}")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.yapt = Yapt()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    passkey, certificate, key, authority = sys.argv[1:]
    tally, server = Tally(), serve(certificate, key)
    port = server.server_address[1]
    with tempfile.TemporaryDirectory() as folder:
        common = ["--server", ORIGIN, "--profile", "yapt", "--cacert", authority]
        program = Program(passkey, folder, *common, "--connect-to", f"raxx.app:443:127.0.0.1:{port}", "--json")

        def whoami():
            equal(json.loads(program.run("whoami", "--user", NAME))["user"], NAME)

        def refused():
            program.run("whoami", "--user", NAME, status=4)

        def devices():
            answer = json.loads(program.run("request", "--user", NAME, "GET", "/api/auth/devices"))
            if "devices" not in json.dumps(answer):
                raise Wrong(answer)

        tally.expect("register", lambda: program.run("register", "--user", NAME))
        tally.expect("whoami after the registration", whoami)
        tally.expect("sign out", lambda: program.run("sign-out", "--user", NAME))
        tally.expect("whoami after the sign-out", refused)
        tally.expect("sign in", lambda: program.run("sign-in", "--user", NAME))
        tally.expect("whoami after the sign-in", whoami)
        tally.expect("request", devices)
        tally.expect("register again", lambda: program.run("register", "--user", NAME, status=4))
        tally.expect("sign in as an unknown user", lambda: program.run("sign-in", "--user", "nobody", status=4))
        tally.expect("sign out again", lambda: program.run("sign-out", "--user", NAME))
    server.shutdown()
    server.server_close()
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(0 if tally.passed and not tally.failed else 1)


if __name__ == "__main__":
    main()
