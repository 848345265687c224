// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct AuthenticatorDataTests {
  private static let hash = [UInt8](repeating: 0xab, count: 32)
  private static let aaguid = [UInt8](repeating: 0x01, count: 16)

  @Test func `authenticator data of an assertion are a hash, flags and a counter`() throws {
    let data = try AuthenticatorData(parsing: (Self.hash + hex("1d 00000102"))[...])
    #expect(data.relyingPartyIDHash == Self.hash[...])
    #expect(data.flags == [.userPresent, .userVerified, .backupEligible, .backedUp])
    #expect(data.signCount == 258)
    #expect(data.attestedCredentialData == nil)
    #expect(data.extensions == nil)
  }

  @Test func `authenticator data of a registration contain the credential and then the extensions`() throws {
    let bytes = Self.hash + hex("c1 00000000") + Self.aaguid + hex("0003 0a0b0c a1 0102 a1 6161 f5")
    let data = try AuthenticatorData(parsing: bytes[...])
    #expect(data.attestedCredentialData?.aaguid == AAGUID(Self.aaguid))
    #expect(data.attestedCredentialData?.credentialID == [0x0a, 0x0b, 0x0c])
    #expect(data.attestedCredentialData?.credentialPublicKey == [0xa1, 0x01, 0x02])
    #expect(try data.extensions?["a"]?.bool == true)
    #expect(data.encoded == bytes[...])
  }

  @Test func `truncated data are rejected at the end of the input`() throws {
    let bytes = Self.hash + hex("41 00000000") + Self.aaguid + hex("0003 0a0b0c a1 0102")
    for length in 0..<bytes.count {
      #expect { try AuthenticatorData(parsing: bytes[..<length]) } throws: { error in
        let error = error as? FormatError
        return error?.code == (length < 58 ? .authenticatorDataTruncated : .authenticatorDataMalformedKey)
      }
    }
  }

  @Test func `trailing bytes are rejected`() {
    #expect(throws: FormatError(.authenticatorDataTrailingBytes, at: 37)) {
      try AuthenticatorData(parsing: (Self.hash + hex("01 00000000 00"))[...])
    }
  }

  @Test func `a flag without its part is rejected`() {
    #expect(throws: FormatError(.authenticatorDataMalformedExtensions, WireError(.cborTruncated, at: 37))) {
      try AuthenticatorData(parsing: (Self.hash + hex("81 00000000"))[...])
    }
    #expect(throws: FormatError(.authenticatorDataMalformedExtensions, at: 37)) {
      try AuthenticatorData(parsing: (Self.hash + hex("81 00000000 80"))[...])
    }
    #expect(throws: FormatError(.authenticatorDataTrailingBytes, at: 37)) {
      try AuthenticatorData(parsing: (Self.hash + hex("01 00000000 a0"))[...])
    }
  }

  @Test func `reserved flags are preserved`() throws {
    let data = try AuthenticatorData(parsing: (Self.hash + hex("23 00000000"))[...])
    #expect(data.flags.contains(.reserved))
  }
}

struct AuthenticatorDataWritingTests {
  static let hash = [UInt8](repeating: 7, count: 32)[...]
  static let key: Bytes = [0xa1, 0x01, 0x02]

  @Test func `parts are written in order, with their flags`() throws {
    let data = try AuthenticatorData(
      relyingPartyIDHash: Self.hash, flags: [.userPresent, .attestedCredentialData], signCount: 0x0102_0304,
      extensions: ["credProtect": 2])
    #expect(data.flags == [.userPresent, .extensionData])
    #expect(data.encoded == Self.hash + hex("81 01020304 a1 6b6372656450726f74656374 02"))
  }

  @Test func `a new credential follows its lengths`() throws {
    let credential = AttestedCredentialData(aaguid: .zero, credentialID: [9, 9, 9], credentialPublicKey: Self.key)
    let data = try AuthenticatorData(
      relyingPartyIDHash: Self.hash, flags: .userVerified, signCount: 0, attestedCredentialData: credential)
    #expect(data.encoded == Self.hash + hex("44 00000000") + AAGUID.zero.bytes + hex("0003 090909 a10102"))
    #expect(data.attestedCredentialData?.credentialID == [9, 9, 9])
    #expect(data.extensions == nil)
  }

  @Test func `parts that would not parse are rejected`() {
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
