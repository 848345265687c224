// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct AttestationObjectTests {
  private static let data = [UInt8](repeating: 0xab, count: 32) + hex("01 00000007")

  @Test func `an attestation object has a format, a statement and authenticator data`() throws {
    let bytes = CBORWriter.bytes(of: ["fmt": "none", "attStmt": [:], "authData": .bytes(Self.data)])
    let object = try AttestationObject(parsing: bytes[...])
    #expect(object.format == .none)
    #expect(try object.statement.map.isEmpty)
    #expect(object.authenticatorData.signCount == 7)
    #expect(object.encoded == bytes[...])
  }

  @Test func `keys may have any order, and unknown keys are ignored`() throws {
    let bytes =
      hex("a4 6161 01 6861757468 44617461 58 25") + Self.data + hex("63 666d74 63 666f6f 67 61747453746d74 a0")
    let object = try AttestationObject(parsing: bytes[...])
    #expect(object.format == AttestationFormat(rawValue: "foo"))
  }

  @Test func `a compound statement is an array, any other a map`() throws {
    let compound = CBORWriter.bytes(of: ["fmt": "compound", "attStmt": [], "authData": .bytes(Self.data)])
    #expect(try AttestationObject(parsing: compound[...]).statement.array.isEmpty)
    for (format, statement) in [("compound", [:]), ("packed", []), ("none", "")] as [(CBORTree, CBORTree)] {
      let bytes = CBORWriter.bytes(of: ["fmt": format, "attStmt": statement, "authData": .bytes(Self.data)])
      #expect {
        try AttestationObject(parsing: bytes[...])
      } throws: { error in
        let error = error as? FormatError
        return error?.code == .attestationObjectInvalidMember && error?.member == "attStmt"
          && error?.wireError?.code == .cborWrongType
      }
    }
  }

  @Test(arguments: ["fmt", "attStmt", "authData"])
  func `an object without a required member is rejected`(name: String) {
    var pairs: [CBORKey: CBORTree] = ["fmt": "none", "attStmt": [:], "authData": .bytes(Self.data)]
    pairs[.text(name)] = nil
    let bytes = CBORWriter.bytes(of: .map(pairs))
    #expect(throws: FormatError(.attestationObjectMissingMember, at: 1, member: name)) {
      try AttestationObject(parsing: bytes[...])
    }
  }

  @Test func `an attestation object that is not a map is rejected`() {
    #expect(throws: FormatError(.attestationObjectMalformed, WireError(.cborWrongType, at: 0))) {
      try AttestationObject(parsing: [0x80])
    }
    #expect(throws: FormatError(.attestationObjectMalformed, WireError(.cborTrailingBytes, at: 1))) {
      try AttestationObject(parsing: [0xa0, 0x00])
    }
    #expect(throws: FormatError(.attestationObjectMalformed, WireError(.cborIndefiniteLength, at: 0))) {
      try AttestationObject(parsing: [0xbf, 0xff])
    }
  }

  @Test func `an error in the authenticator data is at its offset in the object`() {
    let bytes = CBORWriter.bytes(of: ["fmt": "none", "attStmt": [:], "authData": .bytes(Self.data + [0])])
    #expect(throws: FormatError(.authenticatorDataTrailingBytes, at: bytes.count - 1)) {
      try AttestationObject(parsing: bytes[...])
    }
  }
}
