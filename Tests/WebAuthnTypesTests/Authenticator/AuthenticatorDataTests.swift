// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WebAuthnTypes
import WireFormats

@Suite struct AuthenticatorDataTests {
  private static let hash = [UInt8](repeating: 0xab, count: 32)
  private static let aaguid = [UInt8](repeating: 0x01, count: 16)

  @Test func `an assertion's data are a hash, flags and a counter`() throws {
    let data = try AuthenticatorData(parsing: (Self.hash + hex("1d 00000102"))[...])
    #expect(data.relyingPartyIDHash == Self.hash[...])
    #expect(data.flags == [.userPresent, .userVerified, .backupEligible, .backedUp])
    #expect(data.signCount == 258)
    #expect(data.attestedCredentialData == nil)
    #expect(data.extensions == nil)
  }

  @Test func `a registration's data hold the credential, and extensions behind it`() throws {
    let bytes = Self.hash + hex("c1 00000000") + Self.aaguid + hex("0003 0a0b0c a1 0102 a1 6161 f5")
    let data = try AuthenticatorData(parsing: bytes[...])
    #expect(data.attestedCredentialData?.aaguid == AAGUID(Self.aaguid[...]))
    #expect(data.attestedCredentialData?.credentialID == [0x0a, 0x0b, 0x0c])
    #expect(data.attestedCredentialData?.credentialPublicKey == [0xa1, 0x01, 0x02])
    #expect(try data.extensions?["a"]?.bool == true)
    #expect(data.encoded == bytes[...])
  }

  @Test func `cut anywhere, it is refused at the cut`() throws {
    let bytes = Self.hash + hex("41 00000000") + Self.aaguid + hex("0003 0a0b0c a1 0102")
    for length in 0..<bytes.count {
      #expect { try AuthenticatorData(parsing: bytes[..<length]) } throws: { error in
        let error = error as? FormatError
        return error?.code == (length < 58 ? .authenticatorDataTruncated : .authenticatorDataMalformedKey)
      }
    }
  }

  @Test func `bytes left over are refused`() {
    #expect(throws: FormatError(.authenticatorDataTrailingBytes, at: 37)) {
      try AuthenticatorData(parsing: (Self.hash + hex("01 00000000 00"))[...])
    }
  }

  @Test func `flags promise what must be there`() {
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

  @Test func `reserved flags are kept`() throws {
    let data = try AuthenticatorData(parsing: (Self.hash + hex("23 00000000"))[...])
    #expect(data.flags.contains(.reserved))
  }
}
