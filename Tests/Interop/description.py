# SPDX-License-Identifier: Apache-2.0
"""Validates the profiles, the OpenAPI documents and the responses of `passkey-server` with other projects' validators.

    description.py PASSKEY_SERVER

jsonschema validates each built-in profile against the JSON Schema of profiles. For each profile, with tokens and with cookies,
openapi_spec_validator validates the OpenAPI document. openapi_schema_validator validates successful and refused responses to a user
with soft_fido2's device, against the schema for the endpoint and the status. The last line is "N passed, N failed".
"""

import json
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from jsonschema import Draft202012Validator
from openapi_schema_validator import OAS31Validator, oas31_format_checker
from openapi_spec_validator import validate
from passkey_server import Server
from soft_fido2 import Fido2Authenticator, KeyPair

ORIGIN, ADDRESS = "https://raxx.app", "ada@example.org"
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

    def ask(self, name, expected, body=None, part="", query=None, media_type="application/json"):
        method, path, operation = self.operations[name]
        data = None if body is None else json.dumps(body).encode()
        target = path.replace("{id}", part) + (f"?{query}" if query else "")
        request = urllib.request.Request(self.url + target, data=data, method=method)
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


class Raxx:
    """The messages that differ between the profiles."""

    name, invalid, signed_up, signed_out = {"email": ADDRESS}, ({"email": "nowhere"}, 422), 200, 204
    sign_in_name, takes_any_user, device = name, True, {"token": "0123abcd"}
    refresh = "refreshToken"

    def sent(self, credential):
        return credential

    def tokens(self, opened):
        return opened.get("token"), opened.get("refreshToken")


class Yapt(Raxx):
    name, invalid, signed_out = {"username": "Ada of the Sea"}, ({"username": "x" * 300}, 400), 200
    sign_in_name, takes_any_user, refresh = name, False, None


class Aiday(Raxx):
    name, invalid, signed_up = {"username": "ada", "email": ADDRESS}, ({"username": "x" * 300}, 400), 202
    sign_in_name, device = {"username": "ada"}, {"token": "0123abcd", "platform": "ios", "timezone": "Europe/Zurich"}
    refresh = "refresh_token"

    def sent(self, credential):
        return {"credential": credential}

    def tokens(self, opened):
        return opened["tokens"]["accessToken"], opened["tokens"]["refreshToken"]


SERVICES = {"raxx": Raxx(), "yapt": Yapt(), "aiday": Aiday()}


def journey(client, service, approve):
    """Yields one step after the other. `approve` approves the account on the console."""
    device = Fido2Authenticator(keyPair=KeyPair.generate_ecdsa(), hashingAlg=hashes.SHA256())
    ask = client.ask
    yield lambda: ask("health", 200)
    yield lambda: ask("readiness", 200)
    yield lambda: ask("metrics", 200)
    yield lambda: ask("openapi", 200)
    yield lambda: ask("apple-app-site-association", 404)
    yield lambda: ask("me", 401)
    yield lambda: ask("sign-in-options", 400, [])
    yield lambda: ask("sign-in-options", 415, {}, media_type="text/plain")
    yield lambda: ask("sign-in-options", service.invalid[1], service.invalid[0])
    if service.takes_any_user:
        yield lambda: ask("sign-in-options", 200, {})

    def open_session(opened):
        client.token, client.renewal = service.tokens(opened)

    def sign_up():
        options = ask("register-options", 200, service.name)
        sent = service.sent(bare(device.credential_create(options, "none", uv=True)))
        open_session(ask("register-verify", service.signed_up, sent))

    def sign_in():
        client.token = None
        options = ask("sign-in-options", 200, service.sign_in_name)
        open_session(ask("sign-in-verify", 200, service.sent(bare(device.credential_request(options)))))

    def refresh():
        body = None if client.renewal is None else {service.refresh: client.renewal}
        open_session(ask("refresh", 200, body))

    def status(expected):
        query = urllib.parse.urlencode(service.name)
        if ask("account-status", 200, query=query) != {"status": expected}:
            raise Undescribed(f"the account is not {expected}")

    def list_passkeys():
        (passkeys,) = (value for value in ask("credentials", 200).values() if isinstance(value, list))
        client.credential = passkeys[0]["id"]

    yield sign_up
    if service.signed_up == 202:
        yield lambda: status("pending")
        yield lambda: ask("me", 200)
        yield lambda: ask("credentials", 403)
        yield approve
        yield lambda: status("approved")
    yield sign_in
    if service.refresh:
        yield refresh
    yield lambda: ask("me", 200)
    yield lambda: ask("sessions", 200)
    yield list_passkeys
    yield lambda: ask("credential", 200, part=client.credential)
    yield lambda: ask("credential", 404, part="AAAA")
    yield lambda: ask("rename-credential", 200, {"name": "Desk"}, part=client.credential)
    yield lambda: ask("register-device", 200, service.device)
    yield lambda: ask("register-device", 400, {})
    yield lambda: ask("set-preferences", 200, ask("preferences", 200))
    yield lambda: ask("reverify-options", 200)
    yield lambda: ask("export-account", 401)
    yield lambda: ask("step-up-options", 200, {"method": "GET", "path": "/"})
    yield lambda: ask("users", 403)
    yield lambda: ask("erase-account", 401)
    yield lambda: ask("sign-out", service.signed_out)
    yield lambda: ask("me", 401)


def attempt(name, step):
    try:
        step()
        return True
    except Exception as error:  # Any exception of a validator is a failure.
        print(f"FAILED {name}: {type(error).__name__}: {error}")
        return False


def judged(program, profile, tokens):
    """Runs all checks for a server with this profile."""
    name = f"{profile}, {tokens}"
    options = ["--profile", profile, "--tokens", tokens, "--origin", ORIGIN]
    options += ["--refresh", "1d"] if profile == "raxx" else []
    with tempfile.TemporaryDirectory() as folder, Server(program, folder, *options) as server:
        client = Client(server.url, CookieJar())
        yield attempt(f"{name}, the document", lambda: validate(client.document))
        steps = journey(client, SERVICES[profile], lambda: server.run("user", "approve", ADDRESS))
        for index, step in enumerate(steps, 1):
            yield attempt(f"{name}, step {index}", step)


def profiles():
    """Validates the built-in profiles, and that the schema rejects faults in each."""
    project = Path(__file__).parents[2]
    schema = json.loads(Path(project, "Documentation/profile.schema.json").read_text(encoding="utf-8"))
    yield attempt("the schema of profiles", lambda: Draft202012Validator.check_schema(schema))
    validator = Draft202012Validator(schema)

    def must_fail(document):
        if validator.is_valid(document):
            raise Undescribed("the schema accepts a fault")

    for path in sorted(Path(project, "Sources/Service/PasskeyProfiles/BuiltIn").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        yield attempt(f"profile {path.stem}", lambda: validator.validate(document))
        for fault in ({"endpoint": {}}, {"identifiers": {"username": "maybe"}}, {"sessions": {"deliveries": "bearer"}}):
            yield attempt(f"profile {path.stem} with {fault}", lambda: must_fail(document | fault))


def main():
    program = Path(sys.argv[1]).resolve()
    results = [*profiles(), *(result for variant in VARIANTS for result in judged(program, *variant))]
    failed = results.count(False)
    print(f"{results.count(True)} passed, {failed} failed")
    sys.exit(0 if results and not failed else 1)


main()
