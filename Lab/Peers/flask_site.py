# SPDX-License-Identifier: Apache-2.0
"""Passkeys with python-fido2's Fido2Server in Flask and SQLite: gunicorn flask_site:app

The state of a ceremony is in Flask's signed session cookie, as in python-fido2's example server. python-fido2 leaves the
counter and the user handle to the application.
"""

import secrets
import sqlite3

import peer_store as store
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from flask import Flask, jsonify, request, session

app = Flask(__name__)
app.secret_key = store.SECRET
app.permanent_session_lifetime = store.CEREMONY_SECONDS

server = Fido2Server(
    PublicKeyCredentialRpEntity(name="Peer", id=store.RP_ID), verify_origin=lambda origin: origin == store.ORIGIN
)


@app.errorhandler(ValueError)
@app.errorhandler(KeyError)
@app.errorhandler(store.Refused)
@app.errorhandler(sqlite3.IntegrityError)
def refuse(error):
    return jsonify(error=str(error)), 400


@app.post("/join/begin")
def join_begin():
    name = request.get_json()["username"]
    user = PublicKeyCredentialUserEntity(id=secrets.token_bytes(32), name=name, display_name=name)
    options, state = server.register_begin(
        user,
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    session.update(name=name, handle=user.id, state=state)
    return jsonify(dict(options.public_key))


@app.post("/join/finish")
def join_finish():
    data = server.register_complete(session.pop("state"), request.get_json())
    credential = data.credential_data
    store.register(session.pop("name"), session.pop("handle"), credential.credential_id, bytes(credential), data.counter)
    return jsonify(verified=True)


@app.post("/login/begin")
def login_begin():
    options, session["state"] = server.authenticate_begin(user_verification=UserVerificationRequirement.REQUIRED)
    return jsonify(dict(options.public_key))


@app.post("/login/finish")
def login_finish():
    state = session.pop("state")
    answer = AuthenticationResponse.from_dict(request.get_json())
    handle, credential, sign_count = store.find(answer.raw_id)
    if answer.response.user_handle != handle:
        raise store.Refused
    server.authenticate_complete(state, [AttestedCredentialData(credential)], answer)
    counter = answer.response.authenticator_data.counter
    if (counter or sign_count) and counter <= sign_count:
        raise store.Refused
    token = store.sign_in(answer.raw_id, handle, counter, state["challenge"])
    response = jsonify(verified=True)
    response.set_cookie("sid", token, **store.COOKIE)
    return response
