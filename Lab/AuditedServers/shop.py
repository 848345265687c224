# SPDX-License-Identifier: Apache-2.0
"""A small shop with Flask and py_webauthn, to be audited: python3 shop.py [PORT]

Customers sign up and log in with a passkey. Flask keeps the challenge and the session in its signed cookie, as many examples do.
"""

import json
import secrets
import sys

from flask import Flask, abort, jsonify, request, session
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 8080
RP_ID = "localhost"
ORIGIN = f"http://localhost:{PORT}"

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)

# User name to user: {"id": bytes, "passkeys": {credential ID: {"key": bytes, "count": int}}}
users = {}


@app.errorhandler(WebAuthnException)
def refused(error):
    return jsonify(error=str(error)), 400


def body():
    value = request.get_json()
    if not isinstance(value, dict):
        abort(400)
    return value


def challenge():
    value = session.pop("challenge", None)
    if value is None:
        abort(400)
    return base64url_to_bytes(value)


@app.post("/join/begin")
def join_begin():
    name = body().get("username")
    if not isinstance(name, str) or not name or name in users:
        abort(400)
    options = generate_registration_options(
        rp_id=RP_ID,
        rp_name="Shop",
        user_name=name,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
    )
    session["name"] = name
    session["user_id"] = bytes_to_base64url(options.user.id)
    session["challenge"] = bytes_to_base64url(options.challenge)
    return options_to_json_dict(options)


@app.post("/join/finish")
def join_finish():
    verified = verify_registration_response(
        credential=json.dumps(body()),
        expected_challenge=challenge(),
        expected_rp_id=RP_ID,
        expected_origin=ORIGIN,
        require_user_verification=True,
    )
    users[session["name"]] = {
        "id": base64url_to_bytes(session["user_id"]),
        "passkeys": {verified.credential_id: {"key": verified.credential_public_key, "count": verified.sign_count}},
    }
    session["user"] = session["name"]
    return {"verified": True}


@app.post("/login/begin")
def login_begin():
    user = users.get(body().get("username"), {"passkeys": {}})
    options = generate_authentication_options(
        rp_id=RP_ID,
        allow_credentials=[PublicKeyCredentialDescriptor(id=passkey) for passkey in user["passkeys"]],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    session["challenge"] = bytes_to_base64url(options.challenge)
    return options_to_json_dict(options)


@app.post("/login/finish")
def login_finish():
    credential = body()
    expected = challenge()
    identifier = base64url_to_bytes(credential.get("rawId", ""))
    for name, user in users.items():
        if identifier in user["passkeys"]:
            passkey = user["passkeys"][identifier]
            break
    else:
        abort(400)
    verified = verify_authentication_response(
        credential=json.dumps(credential),
        expected_challenge=expected,
        expected_rp_id=RP_ID,
        expected_origin=ORIGIN,
        credential_public_key=passkey["key"],
        credential_current_sign_count=passkey["count"],
        require_user_verification=True,
    )
    passkey["count"] = verified.new_sign_count
    session["user"] = name
    return {"verified": True}


@app.get("/me")
def me():
    if session.get("user") not in users:
        abort(401)
    return {"username": session["user"]}


@app.post("/logout")
def logout():
    session.clear()
    return {}


if __name__ == "__main__":
    app.run(host="localhost", port=PORT)
