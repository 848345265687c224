# SPDX-License-Identifier: Apache-2.0
"""Verifies every response of one device with other projects' servers and with `passkey verify`.

    servers.py PASSKEY ATTESTATION BACKUP ROOT

PASSKEY_DEVICE is the command line of the device, as for passkey_device. The arguments are the expected attestation (none, self, batch,
enterprise), the expected backup state (bound, eligible, backed-up), and the root certificate of its attestations. The last line
is "N passed, N failed".

Each algorithm of the device gets a registration with each combination of user verification and extensions, and for each of
these a sign-in with each combination of presence, verification and extensions; then the same over U2F, which has neither. Each
server verifies only the algorithms that it supports.
"""

import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import fido2.hid
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from fido2 import cbor
from fido2.attestation import Attestation
from fido2.attestation.base import AttestationType, verify_x509_chain
from fido2.cose import CoseKey, UnsupportedKey
from fido2.ctap1 import Ctap1
from fido2.ctap2 import AssertionResponse, Ctap2
from fido2.ctap2.config import Config
from fido2.ctap2.pin import ClientPin
from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    RegistrationResponse,
)
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers.cose import COSEAlgorithmIdentifier

from passkey_device import PORT

RP_ID = "raxx.app"
ORIGIN = "https://raxx.app"
PIN = "2468-1357"
USER = {"id": b"interop-user", "name": "ada", "displayName": "Ada"}
FLAG = AuthenticatorData.FLAG
ES256 = -7


class Tally:
    """Counts passed and failed checks."""

    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, name, check):
        try:
            check()
            self.passed += 1
        except Exception as error:  # Any exception of a server is a refusal.
            self.failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}")


class Refused(Exception):
    pass


def must_refuse(check):
    try:
        check()
    except Exception:
        return
    raise Refused("accepted, and should have been refused")


def equal(found, expected):
    if found != expected:
        raise Refused(f"{found!r}, and not {expected!r}")


class PyWebAuthn:
    name = "py_webauthn"

    def __init__(self, device):
        root = device.root.public_bytes(Encoding.PEM)
        self.roots = {"packed": [root], "fido-u2f": [root]}

    def knows(self, algorithm):
        return algorithm in list(COSEAlgorithmIdentifier)

    def register(self, ceremony):
        result = verify_registration_response(
            credential=ceremony.json(),
            expected_challenge=ceremony.challenge,
            expected_rp_id=RP_ID,
            expected_origin=ORIGIN,
            require_user_verification=bool(ceremony.flags & FLAG.UV),
            supported_pub_key_algs=list(COSEAlgorithmIdentifier),
            pem_root_certs_bytes_by_fmt=self.roots if ceremony.is_vouched_for else {},
        )
        equal(result.user_verified, bool(ceremony.flags & FLAG.UV))
        equal(result.credential_device_type == "multi_device", bool(ceremony.flags & FLAG.BE))
        equal(result.credential_backed_up, bool(ceremony.flags & FLAG.BS))

    def authenticate(self, ceremony):
        result = verify_authentication_response(
            credential=ceremony.json(),
            expected_challenge=ceremony.challenge,
            expected_rp_id=RP_ID,
            expected_origin=ORIGIN,
            credential_public_key=cbor.encode(ceremony.credential.public_key),
            credential_current_sign_count=ceremony.last_count,
            require_user_verification=bool(ceremony.flags & FLAG.UV),
        )
        equal(result.new_sign_count, ceremony.auth_data.counter)
        equal(result.credential_backed_up, bool(ceremony.flags & FLAG.BS))


class PythonFido2:
    name = "python-fido2"

    def __init__(self, device):
        self.root = device.root.public_bytes(Encoding.DER)
        self.server = Fido2Server({"id": RP_ID, "name": "Raxx"}, "direct", None, self.verify_attestation)
        self.ceremony = None

    def knows(self, algorithm):
        return not issubclass(CoseKey.for_alg(algorithm), UnsupportedKey)

    def verify_attestation(self, attestation, client_data_hash):
        statement, data = attestation.att_stmt, attestation.auth_data
        result = Attestation.for_type(attestation.fmt)().verify(statement, data, client_data_hash)
        kinds = {"none": AttestationType.NONE, "self": AttestationType.SELF}
        equal(result.attestation_type, kinds.get(self.ceremony.attestation, AttestationType.BASIC))
        if self.ceremony.is_vouched_for:
            verify_x509_chain(result.trust_path + [self.root])

    def state(self, ceremony):
        verification = "required" if ceremony.flags & FLAG.UV else "discouraged"
        return {"challenge": websafe_encode(ceremony.challenge), "user_verification": verification}

    def register(self, ceremony):
        self.ceremony = ceremony
        self.server.register_complete(self.state(ceremony), ceremony.response)

    def authenticate(self, ceremony):
        self.server.authenticate_complete(self.state(ceremony), [ceremony.credential], ceremony.response)


class PasskeyVerify:
    name = "passkey verify"

    def __init__(self, device):
        self.folder = Path(device.folder)
        self.command = device.passkey
        self.trusted = ["--trust", device.root_path]

    def knows(self, algorithm):
        return True

    def record(self, credential):
        return self.folder / f"{credential.credential_id.hex()[:64]}.json"

    def verify(self, kind, ceremony, options, *arguments):
        for name, content in (("response", ceremony.json()), ("options", options)):
            (self.folder / f"{name}.json").write_text(json.dumps(content))
        command = [self.command, "verify", f"--{kind}", self.folder / "response.json"]
        command += ["--options", self.folder / "options.json", "--origin", ORIGIN, *arguments]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if result.returncode != 0:
            raise Refused(result.stderr.strip())

    def register(self, ceremony):
        options = ceremony.options() | {
            "rp": {"id": RP_ID, "name": "Raxx"},
            "user": USER | {"id": websafe_encode(USER["id"])},
            "pubKeyCredParams": [{"type": "public-key", "alg": ceremony.algorithm}],
            "authenticatorSelection": {"userVerification": ceremony.verification()},
            "attestation": "none" if ceremony.attestation == "none" else "direct",
        }
        trust = self.trusted if ceremony.is_vouched_for else []
        self.verify("registration", ceremony, options, "--record-out", self.record(ceremony.credential), *trust)

    def authenticate(self, ceremony):
        allowed = {"type": "public-key", "id": websafe_encode(ceremony.credential.credential_id)}
        options = ceremony.options() | {
            "rpId": RP_ID,
            "allowCredentials": [allowed],
            "userVerification": ceremony.verification(),
        }
        record = self.record(ceremony.credential)
        arguments = ["--record", record]
        # Do not store the record of a sign-in without user presence.
        if ceremony.flags & FLAG.UP:
            arguments += ["--record-out", record]
        self.verify("authentication", ceremony, options, *arguments)


class Ceremony:
    """A challenge with the response of the device."""

    def __init__(self, kind, expected_flags):
        self.challenge = os.urandom(32)
        self.client_data = CollectedClientData.create(f"webauthn.{kind}", self.challenge, ORIGIN)
        self.flags = expected_flags
        self.response = self.credential = self.auth_data = None
        self.last_count = 0

    def registered(self, attestation_object, attestation):
        self.auth_data = attestation_object.auth_data
        self.credential = self.auth_data.credential_data
        self.algorithm = self.credential.public_key[3]
        self.attestation = attestation
        response = AuthenticatorAttestationResponse(
            client_data=self.client_data, attestation_object=attestation_object
        )
        self.response = RegistrationResponse(raw_id=self.credential.credential_id, response=response)

    def signed_in(self, assertion, registration):
        self.auth_data = assertion.auth_data
        self.credential = registration.credential
        self.algorithm = registration.algorithm
        self.last_count = registration.auth_data.counter
        response = AuthenticatorAssertionResponse(
            client_data=self.client_data,
            authenticator_data=assertion.auth_data,
            signature=assertion.signature,
            user_handle=USER["id"] if assertion.user else None,
        )
        self.response = AuthenticationResponse(raw_id=self.credential.credential_id, response=response)

    @property
    def is_vouched_for(self):
        return self.attestation in ("batch", "enterprise")

    def json(self):
        return json.loads(json.dumps(dict(self.response)))

    def options(self):
        return {"challenge": websafe_encode(self.challenge)}

    def verification(self):
        return "required" if self.flags & FLAG.UV else "discouraged"


class Device:
    """The device under test and the servers that verify its responses."""

    def __init__(self, passkey, attestation, backup, root_path, folder):
        self.passkey, self.attestation, self.folder = passkey, attestation, folder
        self.root_path = root_path
        self.root = x509.load_pem_x509_certificate(Path(root_path).read_bytes())
        self.standing_flags = {"bound": FLAG(0), "eligible": FLAG.BE, "backed-up": FLAG.BE | FLAG.BS}[backup]
        self.door = next(fido2.hid.CtapHidDevice.list_devices())
        self.ctap = Ctap2(self.door)
        self.has_pin = False
        self.tally = Tally()
        self.servers = [PyWebAuthn(self), PythonFido2(self), PasskeyVerify(self)]

    def algorithms(self):
        return [parameters["alg"] for parameters in self.ctap.get_info().algorithms]

    def set_pin(self):
        ClientPin(self.ctap).set_pin(PIN)
        self.has_pin = True
        if self.attestation == "enterprise":
            pin = ClientPin(self.ctap)
            token = pin.get_pin_token(PIN, ClientPin.PERMISSION.AUTHENTICATOR_CFG)
            Config(self.ctap, pin.protocol, token).enable_enterprise_attestation()

    def authorization(self, permission, client_data):
        pin = ClientPin(self.ctap)
        token = pin.get_pin_token(PIN, permission, RP_ID)
        return pin.protocol.authenticate(token, client_data.hash), pin.protocol.VERSION

    def register(self, algorithm, is_verified, has_extensions):
        flags = FLAG.UP | FLAG.AT | self.standing_flags
        flags |= (FLAG.UV if is_verified else FLAG(0)) | (FLAG.ED if has_extensions else FLAG(0))
        ceremony = Ceremony("create", flags)
        authorization = (None, None)
        if is_verified:
            authorization = self.authorization(ClientPin.PERMISSION.MAKE_CREDENTIAL, ceremony.client_data)
        reply = self.ctap.make_credential(
            ceremony.client_data.hash,
            {"id": RP_ID, "name": "Raxx"},
            USER | {"id": os.urandom(16)},
            [{"type": "public-key", "alg": algorithm}],
            extensions={"credProtect": 1} if has_extensions else None,
            options={"rk": True} if not self.has_pin or has_extensions else None,
            pin_uv_param=authorization[0],
            pin_uv_protocol=authorization[1],
            enterprise_attestation=2 if self.attestation == "enterprise" and self.has_pin else None,
        )
        equal(reply.ep_att or False, self.attestation == "enterprise" and self.has_pin)
        kind = "batch" if self.attestation == "enterprise" and not self.has_pin else self.attestation
        ceremony.registered(AttestationObject.create(reply.fmt, reply.auth_data, reply.att_stmt), kind)
        self.ask("registration", ceremony)
        return ceremony

    def sign_in(self, registration, is_present, is_verified, has_extensions):
        flags = self.standing_flags | (FLAG.UP if is_present else FLAG(0))
        flags |= (FLAG.UV if is_verified else FLAG(0)) | (FLAG.ED if has_extensions else FLAG(0))
        ceremony = Ceremony("get", flags)
        authorization = (None, None)
        if is_verified:
            authorization = self.authorization(ClientPin.PERMISSION.GET_ASSERTION, ceremony.client_data)
        assertion = self.ctap.get_assertion(
            RP_ID,
            ceremony.client_data.hash,
            [{"type": "public-key", "id": registration.credential.credential_id}],
            {"credBlob": True} if has_extensions else None,
            {"up": is_present},
            *authorization,
        )
        ceremony.signed_in(assertion, registration)
        self.ask("sign-in", ceremony)
        registration.auth_data = assertion.auth_data

    def u2f(self):
        """Registers and signs in over U2F, and signs in over each protocol with credentials of the other."""
        application = hashlib.sha256(RP_ID.encode()).digest()
        u2f = Ctap1(self.door)
        self.tally.expect("U2F version", lambda: equal(u2f.get_version(), "U2F_V2"))
        ceremony = Ceremony("create", FLAG.UP | FLAG.AT)
        data = u2f.register(ceremony.client_data.hash, application)
        self.tally.expect("U2F registration", lambda: data.verify(application, ceremony.client_data.hash))
        # Every U2F registration has a certificate, self-signed if the device has no attestation key.
        kind = "batch" if self.attestation in ("batch", "enterprise") else "own"
        ceremony.registered(AttestationObject.from_ctap1(application, data), kind)
        self.ask("U2F registration", ceremony)
        by_ctap2 = self.register(ES256, False, False)
        for registration in (ceremony, by_ctap2):
            self.u2f_sign_in(u2f, application, registration)
        # U2F responses have no backup flags; CTAP2 responses for the same credential have the flags of the device.
        self.sign_in(ceremony, True, False, False)

    def u2f_sign_in(self, u2f, application, registration):
        ceremony = Ceremony("get", FLAG.UP)
        handle = registration.credential.credential_id
        signature = u2f.authenticate(ceremony.client_data.hash, application, handle)
        descriptor = {"type": "public-key", "id": handle}
        ceremony.signed_in(AssertionResponse.from_ctap1(application, descriptor, signature), registration)
        self.ask("U2F sign-in", ceremony)
        registration.auth_data = ceremony.auth_data

    def ask(self, kind, ceremony):
        """Verifies a response with every server that supports the algorithm."""
        is_registration = "registration" in kind
        name = f"{kind}, algorithm {ceremony.algorithm}, {ceremony.flags!r}"
        self.tally.expect(f"{name}: flags", lambda: equal(ceremony.auth_data.flags, ceremony.flags))
        for server in self.servers:
            if not server.knows(ceremony.algorithm):
                continue

            def judge(server=server):
                (server.register if is_registration else server.authenticate)(ceremony)

            title = f"{name}: {server.name}"
            if not ceremony.flags & FLAG.UP:
                # Without user presence a response proves only possession and is not a sign-in.
                self.tally.expect(f"{title}, without presence", lambda: must_refuse(judge))
            else:
                self.tally.expect(title, judge)
        if not ceremony.flags & FLAG.UP and PythonFido2.knows(None, ceremony.algorithm):
            self.tally.expect(f"{name}: signature", lambda: self.verify_signature(ceremony))

    def verify_signature(self, ceremony):
        message = ceremony.auth_data + ceremony.client_data.hash
        ceremony.credential.public_key.verify(message, ceremony.response.response.signature)

    def ceremonies(self):
        # Without a PIN the user is not verified, and discoverable credentials must not require it.
        for algorithm in self.algorithms():
            for has_extensions in (False, True):
                registration = self.register(algorithm, False, has_extensions)
                for is_present, with_extensions in itertools.product((True, False), repeat=2):
                    self.sign_in(registration, is_present, False, with_extensions)
        self.u2f()
        self.set_pin()
        for algorithm in self.algorithms():
            for has_extensions in (False, True):
                registration = self.register(algorithm, True, has_extensions)
                for flags in itertools.product((True, False), repeat=3):
                    self.sign_in(registration, *flags)


def main():
    with tempfile.TemporaryDirectory() as folder:
        device = Device(*sys.argv[1:], folder)
        try:
            device.ceremonies()
        finally:
            PORT.remove()
    print(f"{device.tally.passed} passed, {device.tally.failed} failed")
    sys.exit(0 if device.tally.passed and not device.tally.failed else 1)


main()
