# SPDX-License-Identifier: Apache-2.0
"""Validates the OpenAPI document and the responses of `passkey-server` with other projects' validators.

    description.py PASSKEY_SERVER

For each profile, with tokens and with cookies, openapi_spec_validator validates the document. openapi_schema_validator validates
successful and refused responses to a user with soft_fido2's device, against the schema for the endpoint and the status.
The last line is "N passed, N failed".
"""

import json
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from openapi_schema_validator import OAS31Validator, oas31_format_checker
from openapi_spec_validator import validate
from soft_fido2 import Fido2Authenticator, KeyPair

ORIGIN = "https://raxx.app"
VARIANTS = [("raxx", "bearer"), ("raxx", "cookie"), ("yapt", "cookie"), ("aiday", "bearer")]
PLACES = "#/components/responses/"


class Undescribed(Exception):
    """A response does not match the document."""


class Client:
    """A client that uses only the document."""

    def __init__(self, url, cookies):
        self.url, self.token = url, None
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
        self.document = json.loads(self.opener.open(f"{url}/openapi.json").read())
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, item in self.document["paths"].items()
            for method, operation in item.items()
        }

    def ask(self, name, expected, body=None, part="", media_type="application/json"):
        method, path, operation = self.operations[name]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path.replace("{id}", part), data=data, method=method)
        request.add_header("Origin", ORIGIN)
        if data is not None:
            request.add_header("Content-Type", media_type)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            answer = self.opener.open(request)
        except urllib.error.HTTPError as error:
            answer = error
        content = answer.read()
        if answer.status != expected:
            raise Undescribed(f"{name}: {answer.status}, and not {expected}: {content!r}")
        return self.judge(operation["responses"][str(expected)], answer.headers, content)

    def judge(self, response, headers, content):
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].removeprefix(PLACES)]
        for name, header in response.get("headers", {}).items():
            if name not in headers:
                if header["required"]:
                    raise Undescribed(f"{name} is missing")
                continue
            integer = header["schema"]["type"] == "integer"
            self.validate(int(headers[name]) if integer else headers[name], header["schema"])
        if "content" not in response:
            if content:
                raise Undescribed("a body")
            return None
        schema = response["content"][headers["Content-Type"]]["schema"]
        value = json.loads(content) if "json" in headers["Content-Type"] else content.decode()
        self.validate(value, schema)
        return value

    def validate(self, value, schema):
        whole = schema | {"components": self.document["components"]}
        OAS31Validator(whole, format_checker=oas31_format_checker).validate(value)


def bare(response):
    """Corrects soft_fido2's response: removes base64url padding and renames a member."""
    members = {name: member for name, member in response.items() if name != "getClientExtensionResults"}
    return members | {"response": {name: text.rstrip("=") for name, text in response["response"].items()}}


def journey(client):
    """Sends one request per step."""
    device = Fido2Authenticator(keyPair=KeyPair.generate_ecdsa(), hashingAlg=hashes.SHA256())
    body = client.operations["sign-in-options"][2]["requestBody"]["content"]["application/json"]["schema"]
    (address,) = body["properties"]
    ask = client.ask
    yield lambda: ask("health", 200)
    yield lambda: ask("readiness", 200)
    yield lambda: ask("metrics", 200)
    yield lambda: ask("openapi", 200)
    yield lambda: ask("apple-app-site-association", 404)
    yield lambda: ask("me", 401)
    yield lambda: ask("sign-in-options", 400, [])
    yield lambda: ask("sign-in-options", 415, {}, media_type="text/plain")
    yield lambda: ask("sign-in-options", 422, {address: "nowhere"})
    yield lambda: ask("sign-in-options", 200, {})

    def sign_up():
        options = ask("register-options", 200, {address: "ada@example.org"})
        opened = ask("register-verify", 200, bare(device.credential_create(options, "none", uv=True)))
        client.token, client.credential = opened.get("token"), opened["credential"]["id"]

    def sign_in():
        client.token = None
        options = ask("sign-in-options", 200, {address: "ada@example.org"})
        opened = ask("sign-in-verify", 200, bare(device.credential_request(options)))
        client.token, client.renewal = opened.get("token"), opened.get("refreshToken")

    def refresh():
        body = None if client.renewal is None else {"refreshToken": client.renewal}
        client.token = ask("refresh", 200, body).get("token")

    yield sign_up
    yield sign_in
    yield refresh
    yield lambda: ask("me", 200)
    yield lambda: ask("sessions", 200)
    yield lambda: ask("credentials", 200)
    yield lambda: ask("credential", 200, part=client.credential)
    yield lambda: ask("credential", 404, part="AAAA")
    yield lambda: ask("rename-credential", 200, {"name": "Desk"}, part=client.credential)
    yield lambda: ask("register-device", 200, {"token": "0123abcd"})
    yield lambda: ask("export-account", 401)
    yield lambda: ask("step-up-options", 200, {"method": "GET", "path": "/"})
    yield lambda: ask("users", 403)
    yield lambda: ask("erase-account", 401)
    yield lambda: ask("sign-out", 204)
    yield lambda: ask("me", 401)


def attempt(name, step):
    try:
        step()
        return True
    except Exception as error:  # Any exception of a validator is a failure.
        print(f"FAILED {name}: {type(error).__name__}: {error}")
        return False


def judged(server, profile, tokens):
    """Runs all checks for a server with this profile."""
    name = f"{profile}, {tokens}"
    with tempfile.TemporaryDirectory() as folder:
        options = ["--profile", profile, "--tokens", tokens, "--listen", "127.0.0.1:0", "--origin", ORIGIN]
        options += ["--sign-up", "open", "--refresh", "1d", "--access-log", "access.log"]
        process = subprocess.Popen([server, *options], cwd=folder, stderr=subprocess.PIPE, text=True)
        try:
            url = None
            while url is None:
                line = process.stderr.readline()
                if not line:
                    raise Undescribed("the server did not start")
                url = re.search(r" at (http://\S+)", line)
            client = Client(url[1], CookieJar())
            yield attempt(f"{name}, the document", lambda: validate(client.document))
            for index, step in enumerate(journey(client), 1):
                yield attempt(f"{name}, step {index}", step)
        finally:
            process.terminate()
            process.communicate()


def main():
    server = Path(sys.argv[1]).resolve()
    results = [result for variant in VARIANTS for result in judged(server, *variant)]
    failed = results.count(False)
    print(f"{results.count(True)} passed, {failed} failed")
    sys.exit(0 if results and not failed else 1)


main()
