# SPDX-License-Identifier: Apache-2.0
"""Passkeys with django-allauth's headless API in Django and PostgreSQL: gunicorn allauth_site:application

Lab/AuditedServers/django_site.py is the site. Its settings here are those of a new Django project, with persistent connections
to the database: sessions are in the database, and every request has Django's protection against CSRF.

    python3 allauth_site.py     creates the tables
"""

import json
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

DATABASE = urlsplit(os.environ["PEER_DATABASE"])

sys.argv = ["django_site.py", "allauth"]
os.environ["DJANGO_SITE_SETTINGS"] = json.dumps({
    "SECRET_KEY": os.environ["PEER_SECRET"],
    "DATABASES": {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": DATABASE.path[1:],
            "USER": DATABASE.username,
            "HOST": DATABASE.hostname,
            "PORT": DATABASE.port,
            "CONN_MAX_AGE": None,
        }
    },
    "MIDDLEWARE": [
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "allauth_site.token_of_page",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
})


def token_of_page(get_response):
    """Copies the token against CSRF from its cookie into its header, as a page's script does and a profile cannot."""

    def middleware(request):
        if token := request.COOKIES.get("csrftoken"):
            request.META["HTTP_X_CSRFTOKEN"] = token
        return get_response(request)

    return middleware


if __name__ == "__main__":
    # Django imports the middleware by its name.
    sys.modules["allauth_site"] = sys.modules["__main__"]
sys.path.insert(0, str(Path(__file__).parent.parent / "AuditedServers"))
from django_site import application, call_command  # noqa: E402

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
