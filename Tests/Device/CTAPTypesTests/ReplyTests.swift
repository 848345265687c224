// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Round trips and errors of replies.
struct ReplyTests {
  private var data: AuthenticatorData {
    get throws {
      try AuthenticatorData(
        relyingPartyIDHash: [UInt8](repeating: 7, count: 32)[...], flags: .userPresent, signCount: 1)
    }
  }

  @Test func `a reply with a new credential survives a round trip and gives an attestation object`() throws {
    let reply = MakeCredentialReply(
      format: .packed, authenticatorData: try data, statement: ["alg": -7], isEnterpriseAttestation: true,
      largeBlobKey: [1, 2])
    let read = try MakeCredentialReply(parsing: reply.encoded)
    #expect(read.format == .packed)
    #expect(read.authenticatorData.encoded == reply.authenticatorData.encoded)
    #expect(CBORTree(read.statement) == ["alg": -7] && read.statement.encoded == reply.statement.encoded)
    #expect(read.isEnterpriseAttestation == true)
    #expect(read.largeBlobKey == [1, 2])
    let object = try AttestationObject(parsing: read.attestationObject)
    #expect(object.format == .packed)
    #expect(object.authenticatorData.encoded == reply.authenticatorData.encoded)
    #expect(CBORTree(object.statement) == ["alg": -7])
  }

  @Test func `only the format "none" may omit the statement`() throws {
    func reply(_ format: String) throws -> MakeCredentialReply {
      let map: CBORTree = [0x01: .text(format), 0x02: .bytes([UInt8](try data.encoded))]
      return try MakeCredentialReply(parsing: CBORWriter.bytes(of: map))
    }
    #expect(try CBORTree(reply("none").statement) == [:])
    #expect(try AttestationObject(parsing: reply("none").attestationObject[...]).format == .none)
    #expect(throws: FormatError(.commandReplyMissingMember, at: 1, member: "3")) { try reply("packed") }
  }

  @Test func `an assertion survives a round trip`() throws {
    let whole = GetAssertionReply(
      credential: CredentialDescriptor(id: try CredentialID([5])), authenticatorData: try data, signature: [1],
      user: PasskeyUser(id: try UserHandle([2]), name: "ada", displayName: "Ada"), credentialCount: 2,
      isSelectedByUser: true, largeBlobKey: [3])
    let read = try GetAssertionReply(parsing: whole.encoded)
    #expect(read.encoded == whole.encoded)
    #expect(read.credential == whole.credential)
    #expect(read.user == whole.user)
    #expect(read.credentialCount == 2)
    #expect(read.isSelectedByUser == true)
    #expect(read.largeBlobKey == [3])
    let minimal = GetAssertionReply(credential: nil, authenticatorData: try data, signature: [])
    let back = try GetAssertionReply(parsing: minimal.encoded)
    #expect(back.credential == nil)
    #expect(back.user == nil)
  }

  @Test func `authenticator info survives a round trip`() throws {
    var info = AuthenticatorInfo(versions: ["FIDO_2_3"], aaguid: .zero)
    #expect(try AuthenticatorInfo(parsing: info.encoded) == info)
    info.extensions = ["credProtect"]
    info.options = ["rk": true, "uv": false]
    info.maximumMessageByteCount = 1200
    info.pinUVAuthProtocols = [2, 1]
    info.maximumCredentialCountInList = 8
    info.maximumCredentialIDByteCount = 64
    info.transports = [.usb, .nfc]
    info.algorithms = [CredentialParameters(algorithm: .es256)]
    info.maximumLargeBlobArrayByteCount = 1024
    info.forcesPINChange = true
    info.minimumPINLength = 4
    info.firmwareVersion = 7
    info.maximumCredentialBlobByteCount = 32
    info.maximumMinimumPINLengthReaderCount = 1
    info.preferredUserVerificationAttempts = 3
    info.userVerificationModality = 2
    info.certifications = ["FIDO": 1]
    info.remainingDiscoverableCredentialCount = 25
    info.vendorConfigurationCommands = []
    info.attestationFormats = [.packed, .none]
    info.userVerificationCountSincePIN = 5
    info.needsLongTouchForReset = true
    info.encryptedIdentifier = [1]
    info.transportsForReset = [.usb]
    info.enforcesPINComplexity = false
    info.pinComplexityPolicyURL = [2]
    info.maximumPINLength = 63
    info.encryptedCredentialStoreState = [3]
    info.configurationCommands = [1, 2, 3]
    let map = try CBORValue(parsing: info.encoded[...], rules: .canonical).map
    #expect(map.count == 31)
    #expect(try AuthenticatorInfo(parsing: info.encoded) == info)
  }

  @Test func `a malformed reply is rejected with its code and member`() throws {
    #expect(throws: FormatError(.commandReplyMalformed, WireError(.cborLengthExceedsInput, at: 0))) {
      try GetAssertionReply(parsing: [0xa1])
    }
    #expect(throws: FormatError(.commandReplyMissingMember, at: 1, member: "2")) {
      try GetAssertionReply(parsing: [0xa0])
    }
    #expect(throws: FormatError(.commandReplyInvalidMember, WireError(.cborWrongType, at: 2), member: "1")) {
      try MakeCredentialReply(parsing: [0xa1, 0x01, 0x02])
    }
    #expect(throws: FormatError(.commandReplyMissingMember, at: 3, member: "id")) {
      try GetAssertionReply(parsing: hex("a1 01 a1 6474797065 6178")[...])
    }
    #expect(throws: FormatError(.commandReplyInvalidMember, at: 5, member: "3")) {
      try AuthenticatorInfo(parsing: hex("a2 01 80 03 41ff")[...])
    }
    #expect(throws: FormatError(.authenticatorDataTruncated, WireError(.bytesTruncated, at: 7))) {
      try MakeCredentialReply(parsing: hex("a3 01 6161 02 41ff 03 a0")[...])
    }
  }
}
