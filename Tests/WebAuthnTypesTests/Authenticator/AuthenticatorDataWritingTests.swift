// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WebAuthnTypes
import WireFormats

struct AuthenticatorDataWritingTests {
  static let hash = [UInt8](repeating: 7, count: 32)[...]
  static let key: Bytes = [0xa1, 0x01, 0x02]

  @Test func `the parts stand in their order, and the flags announce them`() throws {
    let data = try AuthenticatorData(
      relyingPartyIDHash: Self.hash, flags: [.userPresent, .attestedCredentialData], signCount: 0x0102_0304,
      extensions: ["credProtect": 2])
    #expect(data.flags == [.userPresent, .extensionData])
    #expect(data.encoded == Self.hash + hex("81 01020304 a1 6b6372656450726f74656374 02"))
  }

  @Test func `a new credential stands behind its lengths`() throws {
    let credential = AttestedCredentialData(aaguid: .zero, credentialID: [9, 9, 9], credentialPublicKey: Self.key)
    let data = try AuthenticatorData(
      relyingPartyIDHash: Self.hash, flags: .userVerified, signCount: 0, attestedCredentialData: credential)
    #expect(data.encoded == Self.hash + hex("44 00000000") + AAGUID.zero.bytes + hex("0003 090909 a10102"))
    #expect(data.attestedCredentialData?.credentialID == [9, 9, 9])
    #expect(data.extensions == nil)
  }

  @Test func `what would not be read is not written`() {
    #expect(throws: FormatError.self) {
      try AuthenticatorData(relyingPartyIDHash: [1, 2], flags: [], signCount: 0)
    }
    #expect(throws: FormatError(.authenticatorDataMalformedExtensions, at: 37)) {
      try AuthenticatorData(relyingPartyIDHash: Self.hash, flags: [], signCount: 0, extensions: 7)
    }
    let id = [UInt8](repeating: 1, count: 65_536)[...]
    #expect(throws: FormatError(.credentialIDInvalidLength, at: 0)) {
      try AuthenticatorData(
        relyingPartyIDHash: Self.hash, flags: [], signCount: 0,
        attestedCredentialData: AttestedCredentialData(aaguid: .zero, credentialID: id, credentialPublicKey: Self.key))
    }
  }
}
