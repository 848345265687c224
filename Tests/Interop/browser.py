# SPDX-License-Identifier: Apache-2.0
"""Registers and signs in from a page in a real Chromium, with the extension of `passkey browser`, at servers of others.

    browser.py PASSKEY CHROMIUM CERTIFICATE KEY

Each case has a browser, a vault and a server of its own: py_webauthn or python-fido2, with an algorithm and an attestation.
Then responses with faults, which the servers must refuse. The last line is "N passed, N failed".
"""

import base64
import hashlib
import os
import subprocess
import sys
import tempfile

from chromium import Chromium
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from relying_party import PythonFido2, PyWebAuthn, RelyingParty

EMAIL = "ada@raxx.app"

# Registers or signs in with the routes of the server; the result is an empty text or the refusal.
PAGE = """
window.post = async (path, body) => {
  const reply = await fetch(path, {method: 'POST', body: JSON.stringify(body)});
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.title);
  return answer;
};
const parse = (options, how) => ({publicKey: PublicKeyCredential[how](options.publicKey ?? options)});
window.register = async (email) => {
  const options = await post('/api/auth/register/options', {email});
  const made = await navigator.credentials.create(parse(options, 'parseCreationOptionsFromJSON'));
  await post('/api/auth/register/verify', {credential: made.toJSON()});
};
window.signIn = async (email) => {
  const options = await post('/api/auth/login/options', {email});
  const used = await navigator.credentials.get(parse(options, 'parseRequestOptionsFromJSON'));
  await post('/api/auth/login/verify', {credential: used.toJSON()});
};
"""


def trusted_key(certificate):
    """Returns the digest of a certificate's key, with which a browser trusts it."""
    with open(certificate, "rb") as file:
        public_key = x509.load_pem_x509_certificate(file.read()).public_key()
    encoded = public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(encoded).digest()).decode()


class Runs:
    """Runs of browsers, and how many passed."""

    def __init__(self, passkey, chromium, certificate, key):
        self.passkey, self.chromium, self.files = passkey, chromium, (certificate, key)
        self.trusted_key = trusted_key(certificate)
        self.passed = self.failed = 0

    def run(self, name, ceremonies, options, body):
        """Runs `body` with a page whose extension has these options. `body` returns what is wrong, or nothing."""
        server = RelyingParty(ceremonies, *self.files)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            install = [
                self.passkey, "browser", "install", "--user-data-dir", f"{folder}/profile", "--approve", "always",
                "--vault", f"{folder}/vault", "--no-passphrase", "--vault-cost", "test", *options,
            ]
            places = {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder}
            subprocess.run(install, env=os.environ | places, check=True, capture_output=True)
            extension = f"{folder}/passkey/browser/extension"
            browser = Chromium(self.chromium, folder, server.port, self.trusted_key, extension=extension)
            try:
                browser.open("https://raxx.app/")
                browser.wait("document.readyState === 'complete' && location.href === 'https://raxx.app/'")
                # There is a platform authenticator once the extension is attached.
                browser.wait("await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()")
                browser.run(PAGE)
                wrong = body(browser, server.users)
            except RuntimeError as error:
                wrong = str(error)
            finally:
                browser.close()
                server.stop()
        self.passed, self.failed = self.passed + (not wrong), self.failed + bool(wrong)
        print(f"{name}: {'FAILED: ' + wrong if wrong else 'passed'}", flush=True)


def both(browser, users):
    for script in (f"await register('{EMAIL}')", f"await signIn('{EMAIL}')", "await signIn()"):
        error = browser.run(script)
        if error:
            return f"{script}: {error}"
    return "" if len(users.sessions) == 3 else "a session is missing"


def attested(browser, users):
    wrong = both(browser, users)
    found = users.passkeys[EMAIL].format if not wrong else None
    return wrong or ("" if found in (None, "packed") else f"the attestation has the format {found}")


def refused(first):
    def body(browser, users):
        error = ""
        for script in (f"await register('{EMAIL}')", f"await signIn('{EMAIL}')"):
            error = browser.run(script)
            if error:
                break
        if not error:
            return "accepted"
        if len(users.sessions) != (1 if first == "sign-in" else 0):
            return f"refused in the other ceremony: {error}"
        return "" if error.startswith("Error: ") else f"not refused by the server: {error}"

    return body


def main():
    runs = Runs(*sys.argv[1:])
    for library in (PyWebAuthn, PythonFido2):
        for algorithm in (-7, -8, -257):
            runs.run(f"{library.__name__}, {algorithm}, provider", library(algorithm, "none"), [], both)
        runs.run(
            f"{library.__name__}, -7, attested provider", library(-7, "direct"), ["--attestation", "batch"], attested,
        )
        for fault, ceremony in (
            ("origin-of-another-site", "registration"),
            ("relying-party-of-another-site", "registration"),
            ("user-not-verified", "registration"),
            ("signature-bit-flipped", "sign-in"),
        ):
            runs.run(f"{library.__name__}, {fault}", library(-7, "none"), ["--fault", fault], refused(ceremony))
    print(f"{runs.passed} passed, {runs.failed} failed")
    return 0 if runs.passed and not runs.failed else 1


if __name__ == "__main__":
    sys.exit(main())
