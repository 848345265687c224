# SPDX-License-Identifier: Apache-2.0
"""Verifies responses of other projects' clients with `passkey verify`.

    clients.py PASSKEY

soft_fido2 is both client and authenticator; python-fido2's client uses the device that PASSKEY_DEVICE starts. The last line is
"N passed, N failed".

A response that violates the standard must be refused with the code in DIVERGENCES. If it is accepted, the test fails.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import fido2.hid
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.client import DefaultClientDataCollector, Fido2Client, UserInteraction
from fido2.webauthn import PublicKeyCredentialCreationOptions, PublicKeyCredentialRequestOptions
from soft_fido2 import CertUtils, Fido2Authenticator, KeyPair

from passkey_device import PORT

RP_ID = "raxx.app"
ORIGIN = "https://raxx.app"

# The keys of soft_fido2, and the algorithms that it reports for them.
KEYS = {
    "ES256": (-7, hashes.SHA256(), KeyPair.generate_ecdsa),
    "ES384": (-35, hashes.SHA384(), lambda: KeyPair.generate_ecdsa(ec.SECP384R1())),
    "ES512": (-36, hashes.SHA512(), lambda: KeyPair.generate_ecdsa(ec.SECP521R1())),
    "EdDSA": (-8, hashes.SHA256(), KeyPair.generate_ed25519),
    "RS256": (-257, hashes.SHA256(), KeyPair.generate_rsa),
}
FORMATS = ["none", "packed-self", "packed", "fido-u2f", "tpm", "android-key", "android-safetynet", "apple"]

# Formats that soft_fido2 supports for some keys only.
NOT_MADE = {
    ("ES256", "android-safetynet"),
    ("ES384", "android-safetynet"),
    ("ES512", "android-safetynet"),
    ("EdDSA", "fido-u2f"),
    ("EdDSA", "tpm"),
    ("EdDSA", "android-key"),
    ("EdDSA", "android-safetynet"),
    ("RS256", "fido-u2f"),
}

# Violations of the standard by soft_fido2 0.4.56: the key, the format (None for all), the code, and the reason.
DIVERGENCES = [
    ("ES384", None, "cose.curve-mismatch", "the key names P-256 as its curve"),
    ("ES512", None, "cose.curve-mismatch", "the key names P-256 as its curve"),
    ("EdDSA", None, "cose.unknown-key-type", "the key type is 6 instead of 1 (OKP)"),
    (None, "apple", "attestation.malformed-extension", "the nonce is not an OCTET STRING"),
    ("RS256", "tpm", "attestation.tpm-malformed-public-area", "the scheme RSASSA is written without its hash"),
    (None, "android-safetynet", "attestation.safetynet-host-name", "the certificate has the host name only in its subject"),
]


def encoded(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def divergence(key, form):
    for for_key, for_form, code, _ in DIVERGENCES:
        if for_key in (None, key) and for_form in (None, form):
            return code
    return None


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def count(self, name, fault):
        if fault is None:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {fault}")


class Judge:
    """Runs `passkey verify` and returns its fault, if any."""

    def __init__(self, passkey, folder):
        self.passkey, self.folder = passkey, Path(folder)

    def judge(self, kind, response, options, *arguments):
        for name, content in (("response", response), ("options", options)):
            (self.folder / f"{name}.json").write_text(json.dumps(content))
        command = [self.passkey, "verify", f"--{kind}", self.folder / "response.json"]
        command += ["--options", self.folder / "options.json", "--origin", ORIGIN, *arguments]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return None if result.returncode == 0 else result.stderr.strip()

    def register(self, response, options):
        return self.judge("registration", response, options, "--record-out", self.folder / "record.json")

    def sign_in(self, response, options):
        return self.judge("authentication", response, options, "--record", self.folder / "record.json")


def creation_options(algorithm, attestation="direct"):
    return {
        "rp": {"id": RP_ID, "name": "Raxx"},
        "user": {"id": encoded(os.urandom(16)), "name": "ada", "displayName": "Ada"},
        "challenge": encoded(os.urandom(32)),
        "pubKeyCredParams": [{"type": "public-key", "alg": algorithm}],
        "attestation": attestation,
    }


def request_options(credential_id):
    return {
        "rpId": RP_ID,
        "challenge": encoded(os.urandom(32)),
        "allowCredentials": [{"type": "public-key", "id": credential_id}],
    }


def as_the_standard_writes_it(response):
    """Corrects soft_fido2's response: removes base64url padding and renames a member."""
    members = {name: member for name, member in response.items() if name != "getClientExtensionResults"}
    members["response"] = {name: text.rstrip("=") for name, text in response["response"].items()}
    return members | {"clientExtensionResults": response["getClientExtensionResults"]}


def soft_fido2(judge, tally):
    names = {"COMMON_NAME": "Interop", "ORGANIZATION_NAME": "Interop", "COUNTRY_NAME": "AU"}
    subject = x509.Name([x509.NameAttribute(getattr(x509.NameOID, kind), text) for kind, text in names.items()])
    authority = KeyPair.generate_ecdsa()
    root = CertUtils.gen_ca_cert(subject=subject, keyPair=authority)
    for key, (algorithm, digest, make) in KEYS.items():
        for form in FORMATS:
            if (key, form) in NOT_MADE:
                continue
            device = Fido2Authenticator(keyPair=make(), hashingAlg=digest, caKeyPair=authority, caCert=root)
            options = creation_options(algorithm)
            response = as_the_standard_writes_it(device.credential_create(options, form, uv=form != "fido-u2f"))
            fault = judge.register(response, options)
            code = divergence(key, form)
            name = f"soft_fido2, {key}, {form}"
            if code is not None:
                is_refused = fault is not None and code in fault
                tally.count(name, None if is_refused else f"expected refusal with {code}: {fault or 'accepted'}")
                continue
            tally.count(name, fault)
            options = request_options(response["id"])
            fault = judge.sign_in(as_the_standard_writes_it(device.credential_request(options)), options)
            tally.count(f"{name}, sign-in", fault)


class Agreement(UserInteraction):
    """A user who confirms and has no PIN."""


def python_fido2(judge, tally):
    device = next(fido2.hid.CtapHidDevice.list_devices())
    client = Fido2Client(device, DefaultClientDataCollector(ORIGIN), user_interaction=Agreement())
    for parameters in client.info.algorithms:
        for attestation in ("none", "direct"):
            name = f"python-fido2, {parameters['alg']}, {attestation}"
            options = creation_options(parameters["alg"], attestation)
            options["authenticatorSelection"] = {"userVerification": "discouraged"}
            response = client.make_credential(PublicKeyCredentialCreationOptions.from_dict(options))
            tally.count(name, judge.register(json.loads(json.dumps(dict(response))), options))
            options = request_options(encoded(response.raw_id)) | {"userVerification": "discouraged"}
            selection = client.get_assertion(PublicKeyCredentialRequestOptions.from_dict(options))
            response = json.loads(json.dumps(dict(selection.get_response(0))))
            tally.count(f"{name}, sign-in", judge.sign_in(response, options))


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(sys.argv[1], folder)
        try:
            soft_fido2(judge, tally)
            python_fido2(judge, tally)
        finally:
            PORT.remove()
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(0 if tally.passed and not tally.failed else 1)


main()
