# SPDX-License-Identifier: Apache-2.0
"""Passkeys with py_webauthn in Starlette and SQLite: uvicorn --workers 2 starlette_site:app

The challenge is in Starlette's signed session cookie. Verification and the database run in Starlette's thread pool.
"""

import json
import sqlite3

import peer_store as store
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

EXPECTED = {
    "expected_rp_id": store.RP_ID,
    "expected_origin": store.ORIGIN,
    "require_user_verification": True,
}


def reply(options):
    return Response(options_to_json(options), media_type="application/json")


def verified(token=None):
    response = JSONResponse({"verified": True})
    if token:
        response.set_cookie("sid", token, **store.COOKIE)
    return response


async def refuse(request, error):
    return JSONResponse({"error": str(error)}, status_code=400)


async def join_begin(request):
    name = (await request.json())["username"]
    options = generate_registration_options(
        rp_id=store.RP_ID,
        rp_name="Peer",
        user_name=name,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
    )
    request.session.update(
        name=name, handle=bytes_to_base64url(options.user.id), challenge=bytes_to_base64url(options.challenge)
    )
    return reply(options)


async def join_finish(request):
    credential = await request.json()
    session = dict(request.session)
    request.session.clear()

    def finish():
        result = verify_registration_response(
            credential=credential, expected_challenge=base64url_to_bytes(session["challenge"]), **EXPECTED
        )
        store.register(
            session["name"],
            base64url_to_bytes(session["handle"]),
            result.credential_id,
            result.credential_public_key,
            result.sign_count,
        )

    await run_in_threadpool(finish)
    return verified()


async def login_begin(request):
    options = generate_authentication_options(
        rp_id=store.RP_ID, user_verification=UserVerificationRequirement.REQUIRED
    )
    request.session["challenge"] = bytes_to_base64url(options.challenge)
    return reply(options)


async def login_finish(request):
    credential = await request.json()
    challenge = request.session.pop("challenge")

    def finish():
        passkey = base64url_to_bytes(credential["rawId"])
        handle, public_key, sign_count = store.find(passkey)
        if base64url_to_bytes(credential["response"]["userHandle"]) != handle:
            raise store.Refused
        result = verify_authentication_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            **EXPECTED,
        )
        return store.sign_in(passkey, handle, result.new_sign_count, challenge)

    return verified(await run_in_threadpool(finish))


app = Starlette(
    routes=[
        Route("/join/begin", join_begin, methods=["POST"]),
        Route("/join/finish", join_finish, methods=["POST"]),
        Route("/login/begin", login_begin, methods=["POST"]),
        Route("/login/finish", login_finish, methods=["POST"]),
    ],
    middleware=[Middleware(SessionMiddleware, secret_key=store.SECRET, max_age=store.CEREMONY_SECONDS)],
    exception_handlers={
        error: refuse
        for error in (WebAuthnException, store.Refused, sqlite3.IntegrityError, json.JSONDecodeError, KeyError)
    },
)
