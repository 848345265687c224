# SPDX-License-Identifier: Apache-2.0
"""A small server with Raxx's routes and the ceremonies of py_webauthn or python-fido2: https://raxx.app on loopback.

It always requires user verification.
"""

import json
import secrets
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, PublicKeyCredentialParameters
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import (
    AttestationConveyancePreference,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

RP_ID = "raxx.app"
ORIGIN = "https://raxx.app"


class Passkey:
    def __init__(self, credential_id, public_key, count=0):
        self.id, self.public_key, self.count = credential_id, public_key, count
        self.format = None


class PyWebAuthn:
    """The ceremonies of py_webauthn."""

    def __init__(self, algorithm, attestation):
        self.algorithm, self.attestation = COSEAlgorithmIdentifier(algorithm), attestation

    def begin_registration(self, handle, email):
        options = generate_registration_options(
            rp_id=RP_ID,
            rp_name="Raxx",
            user_id=handle,
            user_name=email,
            attestation=AttestationConveyancePreference(self.attestation),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            supported_pub_key_algs=[self.algorithm],
        )
        return json.loads(options_to_json(options)), options.challenge

    def finish_registration(self, challenge, credential):
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=RP_ID,
            expected_origin=ORIGIN,
            require_user_verification=True,
            supported_pub_key_algs=[self.algorithm],
        )
        passkey = Passkey(verified.credential_id, verified.credential_public_key, verified.sign_count)
        passkey.format = verified.fmt
        return passkey

    def begin_sign_in(self, passkeys):
        options = generate_authentication_options(
            rp_id=RP_ID,
            allow_credentials=[PublicKeyCredentialDescriptor(id=passkey.id) for passkey in passkeys],
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return json.loads(options_to_json(options)), options.challenge

    def finish_sign_in(self, challenge, credential, passkey):
        verified = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=RP_ID,
            expected_origin=ORIGIN,
            require_user_verification=True,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.count,
        )
        passkey.count = verified.new_sign_count


class PythonFido2:
    """The ceremonies of python-fido2, with the options in a member `publicKey`, as its documentation sends them."""

    def __init__(self, algorithm, attestation):
        self.server = Fido2Server({"id": RP_ID, "name": "Raxx"}, attestation)
        self.server.allowed_algorithms = [PublicKeyCredentialParameters(type="public-key", alg=algorithm)]
        assert not CoseKey.for_alg(algorithm).__name__.startswith("Unsupported")

    def begin_registration(self, handle, email):
        user = {"id": handle, "name": email, "displayName": email}
        options, state = self.server.register_begin(
            user, resident_key_requirement="required", user_verification="required"
        )
        return dict(options), state

    def finish_registration(self, state, credential):
        auth_data = self.server.register_complete(state, credential)
        return Passkey(auth_data.credential_data.credential_id, bytes(auth_data.credential_data))

    def begin_sign_in(self, passkeys):
        credentials = [AttestedCredentialData(one.public_key) for one in passkeys]
        options, state = self.server.authenticate_begin(credentials, user_verification="required")
        return dict(options), state

    def finish_sign_in(self, state, credential, passkey):
        self.server.authenticate_complete(state, [AttestedCredentialData(passkey.public_key)], credential)


class Users:
    """The users, pending ceremonies and sessions. A ceremony is taken once."""

    def __init__(self, ceremonies):
        self.ceremonies = ceremonies
        self.handles, self.passkeys, self.begun, self.sessions = {}, {}, {}, {}
        self.lock = threading.Lock()

    def begin_registration(self, body):
        email = body["email"]
        handle = self.handles.setdefault(email, secrets.token_bytes(16))
        options, state = self.ceremonies.begin_registration(handle, email)
        self.begun[challenge_of(options)] = (state, email)
        return options

    def finish_registration(self, body):
        credential = body["credential"]
        state, email = self.begun.pop(answered_challenge(credential))
        self.passkeys[email] = self.ceremonies.finish_registration(state, credential)
        return self.signed_in(email)

    def begin_sign_in(self, body):
        passkeys = [self.passkeys[body["email"]]] if body.get("email") else []
        options, state = self.ceremonies.begin_sign_in(passkeys)
        self.begun[challenge_of(options)] = (state, None)
        return options

    def finish_sign_in(self, body):
        credential = body["credential"]
        state, _ = self.begun.pop(answered_challenge(credential))
        used = base64url_to_bytes(credential["rawId"])
        email = next(email for email, passkey in self.passkeys.items() if passkey.id == used)
        handle = credential["response"].get("userHandle")
        if handle is not None and base64url_to_bytes(handle) != self.handles[email]:
            raise ValueError("another user's handle")
        self.ceremonies.finish_sign_in(state, credential, self.passkeys[email])
        return self.signed_in(email)

    def signed_in(self, email):
        token = secrets.token_urlsafe(32)
        self.sessions[token] = email
        return {"token": token, "tokenType": "Bearer", "expiresAt": "2099-01-01T00:00:00Z"} | self.account(email)

    def account(self, email):
        return {"account": {"id": self.handles[email].hex(), "email": email, "state": "active", "roles": []}}


def challenge_of(options):
    return options.get("publicKey", options)["challenge"]


def answered_challenge(credential):
    return json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))["challenge"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        users = self.server.users
        verbs = {
            "/api/auth/register/options": users.begin_registration,
            "/api/auth/register/verify": users.finish_registration,
            "/api/auth/login/options": users.begin_sign_in,
            "/api/auth/login/verify": users.finish_sign_in,
        }
        with users.lock:
            if self.path == "/api/auth/logout":
                users.sessions.pop(self.token(), None)
                self.answer(204, None)
            elif self.path in verbs:
                self.perform(verbs[self.path], body)
            else:
                self.answer(404, {"title": "Not Found", "code": "http.not-found"})

    def do_GET(self):
        if self.path == "/":
            return self.show_page()
        users = self.server.users
        with users.lock:
            email = users.sessions.get(self.token())
            if self.path == "/api/auth/me" and email is not None:
                self.answer(200, users.account(email) | {"expiresAt": "2099-01-01T00:00:00Z"})
            else:
                self.answer(401, {"title": "Unauthorized", "code": "interop.not-signed-in"})

    def show_page(self):
        """An empty page, for ceremonies in a browser."""
        content = b"<!doctype html><title>page</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def perform(self, verb, body):
        try:
            answer = verb(body)
        except Exception as error:  # Any exception of a library is a refusal.
            self.answer(400, {"title": f"{type(error).__name__}: {error}", "code": "interop.refused"})
        else:
            self.answer(200, answer)

    def token(self):
        return (self.headers.get("Authorization") or "").removeprefix("Bearer ")

    def answer(self, status, members):
        content = b"" if members is None else json.dumps(members).encode()
        self.send_response(status)
        if members is not None:
            kind = "application/json" if status < 400 else "application/problem+json"
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class RelyingParty:
    """The server on a free port."""

    def __init__(self, ceremonies, certificate, key):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        self.http.users = Users(ceremonies)
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def users(self):
        return self.http.users

    def stop(self):
        self.http.shutdown()
        self.http.server_close()
