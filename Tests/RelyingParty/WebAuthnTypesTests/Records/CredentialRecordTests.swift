// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct CredentialRecordTests {
  private static func full() throws -> CredentialRecord {
    CredentialRecord(
      id: try CredentialID([1, 2]), publicKey: [0xa0], signCount: 7, uvInitialized: true,
      transports: [.hybrid, AuthenticatorTransport(rawValue: "pigeon")], backupEligible: true, backupState: false,
      attestationObject: [0xa0], attestationClientDataJSON: [0x7b, 0x7d],
      relyingPartyID: try RelyingPartyID("raxx.app"),
      registered: UnixTime(secondsSince1970: 1_800_000_000))
  }

  private static func least() throws -> CredentialRecord {
    CredentialRecord(
      id: try CredentialID([1]), publicKey: [0xa0], signCount: .max, uvInitialized: false, transports: [],
      backupEligible: false, backupState: false)
  }

  @Test func `a record survives a round trip`() throws {
    for record in [try Self.full(), try Self.least()] {
      let again = try CredentialRecord(parsing: record.encoded)
      #expect(again == record)
      #expect(again.encoded == record.encoded)
    }
  }

  @Test func `the encoding of a record is stable`() throws {
    #expect(
      try Self.least().encoded
        == hex("a9 00 02 01 6a 7075626c69632d6b6579 02 41 01 03 41 a0 04 1a ffffffff 05 f4 06 80 07 f4 08 f4"))
  }

  @Test func `the encoding of the registration time is stable`() throws {
    var record = try Self.least()
    record.registered = UnixTime(secondsSince1970: 1_800_000_000)
    let bytes = hex(
      "aa 00 02 01 6a 7075626c69632d6b6579 02 41 01 03 41 a0 04 1a ffffffff 05 f4 06 80 07 f4 08 f4 0c 1a 6b49d200")
    #expect(record.encoded == bytes)
    #expect(try CredentialRecord(parsing: bytes) == record)
  }

  @Test func `a record has a credential descriptor`() throws {
    let descriptor = try Self.full().descriptor
    #expect(descriptor.id.bytes == [1, 2])
    #expect(descriptor.type == .publicKey)
    #expect(descriptor.transports.first == .hybrid)
  }

  @Test(arguments: [0, 1, 3] as [UInt8]) func `another version is rejected`(version: UInt8) throws {
    var bytes = try Self.least().encoded
    bytes[2] = version
    #expect(throws: FormatError(.credentialRecordUnknownVersion, at: 0, member: "version")) {
      try CredentialRecord(parsing: bytes)
    }
  }

  @Test(arguments: 0...8)
  func `a record without a required item is rejected`(item: Int) throws {
    let names = [
      "version", "type", "id", "publicKey", "signCount", "uvInitialized", "transports", "backupEligible", "backupState",
    ]
    let bytes = CBORWriter.bytes(of: try Self.changed { $0[.unsigned(UInt64(item))] = nil })
    #expect(throws: FormatError(.credentialRecordMissingMember, at: 1, member: names[item])) {
      try CredentialRecord(parsing: bytes)
    }
  }

  @Test func `an item of the wrong type is rejected`() throws {
    let bytes = CBORWriter.bytes(of: try Self.changed { $0[4] = .unsigned(1 << 32) })
    #expect {
      try CredentialRecord(parsing: bytes)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .credentialRecordInvalidMember && error?.member == "signCount"
        && error?.wireError?.code == .cborNumberOutOfRange
    }
    let empty = CBORWriter.bytes(of: try Self.changed { $0[2] = .bytes([]) })
    #expect {
      try CredentialRecord(parsing: empty)
    } throws: { error in
      (error as? FormatError)?.code == .credentialIDInvalidLength
    }
    let scope = CBORWriter.bytes(of: try Self.changed { $0[11] = "Raxx.app" })
    #expect {
      try CredentialRecord(parsing: scope)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .relyingPartyIDInvalid && error?.member == "rpId"
    }
  }

  @Test func `an unknown item is rejected`() throws {
    let bytes = CBORWriter.bytes(of: try Self.changed { $0[13] = true })
    #expect(throws: FormatError(.credentialRecordInvalidMember, at: bytes.count - 2)) {
      try CredentialRecord(parsing: bytes)
    }
  }

  @Test func `malformed records are rejected`() throws {
    #expect(throws: FormatError(.credentialRecordMalformed, WireError(.cborWrongType, at: 0))) {
      try CredentialRecord(parsing: [0x80])
    }
    #expect(throws: FormatError(.credentialRecordMalformed, WireError(.cborTrailingBytes, at: 35))) {
      try CredentialRecord(parsing: Self.least().encoded + [0])
    }
  }

  @Test func `a parsed record is written as the same bytes, and records never trap`() throws {
    let valid = [try Self.full().encoded, try Self.least().encoded]
    try PropertyRuns.check { generator in
      let bytes = Mutation.mutated(valid.randomElement(using: &generator) ?? [], using: &generator)
      do throws(FormatError) {
        let record = try CredentialRecord(parsing: bytes)
        guard record.encoded == bytes else { throw FormatError(.credentialRecordMalformed, at: -1) }
      } catch {
        guard (0...bytes.count).contains(error.offset) else { throw error }
      }
    }
  }

  private static func changed(_ change: (inout [CBORKey: CBORTree]) -> Void) throws -> CBORTree {
    let value = try CBORValue(parsing: least().encoded[...], rules: .canonical)
    guard case .map(var pairs) = CBORTree(value) else { return .null }
    change(&pairs)
    return .map(pairs)
  }
}
