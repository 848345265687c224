# SPDX-License-Identifier: Apache-2.0
"""A Django site whose passkeys are those of django-otp-webauthn or django-allauth, to be audited.

    python3 django_site.py otp-webauthn|allauth [PORT]

The applications do the ceremonies. This file adds what they leave to a site: signing up with a user name, /me, signing out, and
deleting the account. A profile cannot describe Django's token against CSRF, so its middleware is off: skip the checks of CSRF.

Lab/Peers/allauth_site.py serves it with the settings in DJANGO_SITE_SETTINGS, a JSON object.
"""

import json
import os
import sys
import tempfile

import django
from django.conf import settings

KIND = sys.argv[1]
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 8080
FOLDER = tempfile.mkdtemp()

APPS = {
    "otp-webauthn": ["django_otp", "django_otp_webauthn"],
    "allauth": ["allauth", "allauth.account", "allauth.mfa", "allauth.headless"],
}[KIND]
MIDDLEWARE = {
    "otp-webauthn": ["django_otp.middleware.OTPMiddleware"],
    "allauth": ["allauth.account.middleware.AccountMiddleware"],
}[KIND]

SETTINGS = dict(
    DEBUG=False,
    SECRET_KEY=os.urandom(32).hex(),
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF="django_site_urls",
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{FOLDER}/site.sqlite", "OPTIONS": {"timeout": 20}}
    },
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", *APPS,
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
        *MIDDLEWARE,
    ],
    AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend"]
    + {
        "otp-webauthn": ["django_otp_webauthn.backends.WebAuthnBackend"],
        "allauth": ["allauth.account.auth_backends.AuthenticationBackend"],
    }[KIND],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    LOGIN_REDIRECT_URL="/me",
    STATIC_URL="/static/",
    OTP_WEBAUTHN_RP_ID="localhost",
    OTP_WEBAUTHN_RP_NAME="Site",
    OTP_WEBAUTHN_ALLOWED_ORIGINS=[f"http://localhost:{PORT}"],
    MFA_SUPPORTED_TYPES=["webauthn"],
    MFA_PASSKEY_LOGIN_ENABLED=True,
    HEADLESS_ONLY=True,
    HEADLESS_CLIENTS=("browser",),
    ACCOUNT_EMAIL_VERIFICATION="none",
    # The audit sends more requests than a person. Its own checks of limits need the limits of the site.
    ACCOUNT_RATE_LIMITS=False,
    MFA_RATE_LIMITS=False,
)
settings.configure(**SETTINGS | json.loads(os.environ.get("DJANGO_SITE_SETTINGS", "{}")))
django.setup()

from django.contrib.auth import get_user_model, login, logout  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.views.decorators.cache import never_cache  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from django.views.decorators.http import require_GET, require_http_methods, require_POST  # noqa: E402


@csrf_exempt
@require_POST
@never_cache
def join(request):
    """Creates the account, signs it in, and lets the application begin the registration."""
    try:
        name = json.loads(request.body)["username"]
    except (ValueError, KeyError, TypeError):
        return HttpResponse(status=400)
    User = get_user_model()
    if not isinstance(name, str) or not 1 <= len(name) <= 150 or User.objects.filter(username=name).exists():
        return HttpResponse(status=400)
    user = User.objects.create_user(name)
    if KIND == "allauth":
        from allauth.account.internal.flows.login import record_authentication
        from allauth.headless.constants import Client
        from allauth.headless.mfa.views import ManageWebAuthnView

        login(request, user, backend="allauth.account.auth_backends.AuthenticationBackend")
        record_authentication(request, user, method="password")
        request.method = "GET"
        request.GET = request.GET.copy()
        request.GET["passwordless"] = ""
        return ManageWebAuthnView.as_api_view(client=Client.BROWSER)(request)
    from django_otp_webauthn.views import BeginCredentialRegistrationView

    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.user.is_verified = lambda: False
    return BeginCredentialRegistrationView.as_view()(request)


@require_GET
@never_cache
def me(request):
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    return JsonResponse({"username": request.user.get_username()})


@require_POST
def sign_out(request):
    logout(request)
    return JsonResponse({})


@require_http_methods(["DELETE"])
def account(request):
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    user = request.user
    logout(request)
    get_user_model().objects.filter(pk=user.pk).delete()
    return HttpResponse(status=204)


urls = type(sys)("django_site_urls")
urls.urlpatterns = [
    path("join", join),
    path("me", me),
    path("logout", sign_out),
    path("account", account),
    path("webauthn/", include("django_otp_webauthn.urls"))
    if KIND == "otp-webauthn"
    else path("_allauth/", include("allauth.headless.urls")),
]
if KIND == "allauth":
    urls.urlpatterns.append(path("accounts/", include("allauth.urls")))
sys.modules["django_site_urls"] = urls
application = get_wsgi_application()

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    from waitress import serve

    serve(application, host="localhost", port=PORT, threads=8)
