// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@Suite struct OpenStringTests {
  @Test func `known values have the standard's spelling`() {
    #expect(AuthenticatorTransport.smartCard.rawValue == "smart-card")
    #expect(AuthenticatorTransport.internal.rawValue == "internal")
    #expect(AuthenticatorAttachment.crossPlatform.rawValue == "cross-platform")
    #expect(AttestationFormat.androidSafetyNet.rawValue == "android-safetynet")
    #expect(AttestationFormat.fidoU2F.description == "fido-u2f")
    #expect(ClientDataType.create.rawValue == "webauthn.create")
    #expect(ClientDataType.get.rawValue == "webauthn.get")
    #expect(PublicKeyCredentialHint.clientDevice.rawValue == "client-device")
    #expect(AttestationConveyancePreference.enterprise.rawValue == "enterprise")
    #expect(ResidentKeyRequirement.required.rawValue == UserVerificationRequirement.required.rawValue)
  }

  @Test func `unknown values are preserved`() throws {
    let transports = try decode([AuthenticatorTransport].self, from: #"["usb", "carrier-pigeon"]"#)
    #expect(transports == [.usb, AuthenticatorTransport(rawValue: "carrier-pigeon")])
    #expect(String(decoding: try encode(transports), as: UTF8.self) == #"["usb","carrier-pigeon"]"#)
  }

  @Test func `canonically equivalent strings are different values`() {
    let one = ClientDataType(rawValue: "caf\u{e9}")
    let other = ClientDataType(rawValue: "cafe\u{301}")
    #expect(one.rawValue == other.rawValue, "to Swift the strings are equal")
    #expect(one != other)
    #expect([one].contains(other) == false)
    #expect(Set([one, other]).count == 2)
    #expect(ClientDataType(rawValue: "webauthn.get") == .get)
    #expect(ClientDataType(rawValue: "webauthn.get").hashValue == ClientDataType.get.hashValue)
  }
}
