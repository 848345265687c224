# SPDX-License-Identifier: Apache-2.0
"""A site with the passkey endpoints of a library from PyPI, to try profiles with what `shop.py` has not: values that go
back, forms, JSON in strings, and tokens against CSRF, which are on. Or a new installation of an application from PyPI.

    python3 library_site.py fastapi-passkeys|flask-security|django-passkeys|django-mfa2|open-passkey-flask PORT
    python3 library_site.py canaille PORT

The library does the ceremonies, at its own paths. This file adds what it leaves to a site: creating an account that has
no passkey yet (/join), /me and signing out. To an application it adds nothing.
"""

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

KIND, PORT = sys.argv[1], int(sys.argv[2])
ORIGIN = f"http://localhost:{PORT}"


def fastapi_passkeys():
    import uvicorn
    from fastapi import FastAPI, Header, HTTPException, Request
    from fastapi_passkeys import Passkeys, PasskeyConfig, PasskeyUser
    from fastapi_passkeys.contrib import InMemoryCredentialRepository

    tokens = {}

    async def get_user(request: Request):
        name = (await request.json())["username"]
        return PasskeyUser(id=name, name=name, display_name=name)

    async def on_authenticated(request: Request, result):
        token = secrets.token_urlsafe(32)
        tokens[token] = result.user_id
        return {"access_token": token}

    passkeys = Passkeys(
        config=PasskeyConfig(rp_id="localhost", rp_name="Site", expected_origins=[ORIGIN]),
        credential_repository=InMemoryCredentialRepository(),
        get_user=get_user,
        on_authenticated=on_authenticated,
    )
    app = FastAPI()
    app.include_router(passkeys.router, prefix="/auth/passkeys")
    passkeys.install_exception_handlers(app)

    @app.get("/me")
    async def me(authorization: str = Header("")):
        name = tokens.get(authorization.removeprefix("Bearer "))
        if name is None:
            raise HTTPException(401)
        return {"username": name}

    @app.post("/logout", status_code=204)
    async def sign_out(authorization: str = Header("")):
        tokens.pop(authorization.removeprefix("Bearer "), None)

    uvicorn.run(app, host="localhost", port=PORT, log_level="warning")


def flask_security():
    from flask import Flask, abort, jsonify, request
    from flask_security import Security, SQLAlchemyUserDatastore, current_user, hash_password, login_user
    from flask_security.models import fsqla_v3
    from flask_security.webauthn import webauthn_register
    from flask_sqlalchemy import SQLAlchemy
    from flask_wtf import CSRFProtect

    app = Flask("site")
    app.config.update(
        SECRET_KEY=secrets.token_hex(32),
        SECURITY_PASSWORD_SALT=secrets.token_hex(16),
        SQLALCHEMY_DATABASE_URI=f"sqlite:///{tempfile.mkdtemp()}/site.sqlite",
        SECURITY_WEBAUTHN=True,
        SECURITY_WAN_ALLOW_AS_FIRST_FACTOR=True,
        SECURITY_WAN_ALLOW_USER_HINTS=True,
        SECURITY_USERNAME_ENABLE=True,
        SECURITY_CSRF_PROTECT_MECHANISMS=["session", "basic"],
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
    )
    CSRFProtect(app)
    db = SQLAlchemy(app)
    fsqla_v3.FsModels.set_db_info(db)

    class Role(db.Model, fsqla_v3.FsRoleMixin):
        pass

    class WebAuthn(db.Model, fsqla_v3.FsWebAuthnMixin):
        pass

    class User(db.Model, fsqla_v3.FsUserMixin):
        pass

    store = SQLAlchemyUserDatastore(db, User, Role, WebAuthn)
    Security(app, store)
    with app.app_context():
        db.create_all()

    @app.post("/join")
    def join():
        # The body also has what the library's form needs.
        name = request.get_json()["email"]
        if store.find_user(email=name):
            abort(400)
        user = store.create_user(email=name, password=hash_password(secrets.token_hex(16)))
        db.session.commit()
        login_user(user, authn_via=["password"])
        # Without the check of the session, which begins with this response.
        return webauthn_register.__wrapped__()

    @app.get("/me")
    def me():
        if not current_user.is_authenticated:
            abort(401)
        return jsonify(email=current_user.email)

    app.run(host="localhost", port=PORT)


def log_user_in(request, username):
    """Signs a user in after the second factor of django-mfa2."""
    from django.contrib.auth import get_user_model, login
    from django.http import HttpResponseRedirect

    login(request, get_user_model().objects.get(username=username), backend=BACKENDS["django-mfa2"])
    return HttpResponseRedirect("/me")


BACKENDS = {
    "django-passkeys": "passkeys.backend.PasskeyModelBackend",
    "django-mfa2": "django.contrib.auth.backends.ModelBackend",
}


def django_site():
    import django
    from django.conf import settings

    backend = BACKENDS[KIND]
    folder = tempfile.mkdtemp()
    settings.configure(
        SECRET_KEY=secrets.token_hex(32),
        ALLOWED_HOSTS=["localhost"],
        ROOT_URLCONF="__main__",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/site.sqlite"}},
        INSTALLED_APPS=[
            "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
            {"django-passkeys": "passkeys", "django-mfa2": "mfa"}[KIND],
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        AUTHENTICATION_BACKENDS=[backend],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        FIDO_SERVER_ID="localhost",
        FIDO_SERVER_NAME="Site",
        KEY_ATTACHMENT=None,
        MFA_LOGIN_CALLBACK="__main__.log_user_in",
        MFA_RECHECK=False,
        MFA_UNALLOWED_METHODS=(),
    )
    # The settings name a function of this module.
    sys.modules.setdefault("library_site", sys.modules["__main__"])
    django.setup()
    from django.contrib.auth import authenticate, get_user_model, login, logout
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpResponse, JsonResponse
    from django.middleware.csrf import get_token
    from django.urls import include, path
    from django.views.decorators.http import require_GET, require_POST

    if KIND == "django-passkeys":
        from passkeys.FIDO2 import reg_begin as begin_registration
    else:
        from mfa.FIDO2 import authenticate_begin
        from mfa.FIDO2 import begin_registeration as begin_registration

    @require_GET
    def login_page(request):
        # As {% csrf_token %} in a template does.
        field = f'<input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}">'
        return HttpResponse(f"<form method=post action=/login/finish>{field}</form>")

    @require_POST
    def join(request):
        name = request.POST["username"]
        if get_user_model().objects.filter(username=name).exists():
            return HttpResponse(status=400)
        login(request, get_user_model().objects.create_user(name), backend=backend)
        return begin_registration(request)

    @require_POST
    def begin(request):
        # After the password, for which this site does not ask.
        request.session["base_username"] = request.POST["username"]
        return authenticate_begin(request)

    @require_POST
    def finish(request):
        # As the library's documentation says.
        user = authenticate(request, username=request.POST.get("username", ""), password="")
        if user is None:
            return JsonResponse({"message": "refused"}, status=401)
        login(request, user)
        return JsonResponse({"username": user.get_username()})

    @require_GET
    def me(request):
        if not request.user.is_authenticated:
            return HttpResponse(status=401)
        return JsonResponse({"username": request.user.get_username()})

    @require_POST
    def sign_out(request):
        logout(request)
        return JsonResponse({})

    library = {"django-passkeys": "passkeys/", "django-mfa2": "mfa/"}[KIND]
    urls = include({"django-passkeys": "passkeys.urls", "django-mfa2": "mfa.urls"}[KIND])
    globals()["urlpatterns"] = [
        path("login", login_page), path("login/begin", begin), path("login/finish", finish), path("join", join),
        path("me", me), path("logout", sign_out), path(library, urls),
    ]
    call_command("migrate", verbosity=0)
    from wsgiref.simple_server import make_server

    make_server("localhost", PORT, get_wsgi_application()).serve_forever()


def open_passkey_flask():
    from flask import Flask
    from open_passkey_flask import MemoryChallengeStore, MemoryCredentialStore, PasskeyConfig, create_passkey_blueprint
    from open_passkey_server import SessionConfig

    app = Flask("site")
    config = PasskeyConfig(
        rp_id="localhost", rp_display_name="Site", origin=ORIGIN, challenge_store=MemoryChallengeStore(),
        credential_store=MemoryCredentialStore(), session=SessionConfig(secret=secrets.token_hex(32), secure=False),
    )
    app.register_blueprint(create_passkey_blueprint(config), url_prefix="/passkey")
    app.run(host="localhost", port=PORT)


def canaille():
    folder = tempfile.mkdtemp()
    Path(f"{folder}/canaille.toml").write_text(f"""
SECRET_KEY = "{secrets.token_hex(32)}"
[CANAILLE]
ENABLE_REGISTRATION = true
AUTHENTICATION_FACTORS = ["fido2"]
DATABASE = "sql"
[CANAILLE_SQL]
DATABASE_URI = "sqlite:///{folder}/site.sqlite"
""")
    os.environ["CANAILLE_CONFIG"] = f"{folder}/canaille.toml"
    program = Path(sys.executable).parent / "canaille"
    subprocess.run([program, "install"], check=True)
    os.execv(program, [program, "run", "--bind", f"localhost:{PORT}", "--workers", "0"])


{
    "canaille": canaille,
    "fastapi-passkeys": fastapi_passkeys,
    "flask-security": flask_security,
    "django-passkeys": django_site,
    "django-mfa2": django_site,
    "open-passkey-flask": open_passkey_flask,
}[KIND]()
