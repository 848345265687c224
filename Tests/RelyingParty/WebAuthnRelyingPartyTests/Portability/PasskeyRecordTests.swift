// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Passkey records of C2SP, of our own registrations and of another library.
@Suite struct PasskeyRecordTests {
  @Test func `a registration's record gives the same record again, and signs in`() throws {
    let world = try CeremonyWorld()
    var registered = try world.register { device in
      device.flags = [.userPresent, .userVerified, .backupEligible, .backedUp]
      device.signCount = 7
    }.credential
    registered.record.transports = [.usb, .internal, .hybrid, .usb, AuthenticatorTransport(rawValue: "by pigeon")]
    let text = try registered.record.passkeyRecord
    #expect(text.hasPrefix("$webauthn$v=1$transports=hybrid+internal+usb$") && !text.contains("=" + "="))
    let read = try CredentialRecord(passkeyRecord: text)
    #expect(try read.passkeyRecord == text)
    #expect(read.id == registered.record.id && read.publicKey == registered.record.publicKey)
    #expect(read.signCount == 7 && read.uvInitialized && read.backupEligible && read.backupState)
    #expect(read.transports == [.hybrid, .internal, .usb])
    let stored = StoredCredential(user: registered.user, record: read)
    #expect(try world.authenticate(stored: stored) { $0.signCount = 8 }.credential.record.signCount == 8)
  }

  @Test func `a record without the registration's attestation object has no string`() throws {
    var record = try CeremonyWorld().register { _ in }.credential.record
    record.attestationObject = nil
    let failure = #expect(throws: FormatError.self) { try record.passkeyRecord }
    #expect(failure?.code == .credentialRecordMissingMember && failure?.member == "attestationObject")
  }

  @Test func `a registration outside the format's limits has no string`() throws {
    var record = try CeremonyWorld().register { $0.credentialID = [UInt8](0..<8) }.credential.record
    var failure = #expect(throws: FormatError.self) { try record.passkeyRecord }
    #expect(failure?.code == .credentialRecordInvalidMember)
    record = try CeremonyWorld().register().credential.record
    record.id = try CredentialID([UInt8](0..<16))
    failure = #expect(throws: FormatError.self) { try record.passkeyRecord }
    #expect(failure?.code == .credentialRecordInvalidMember)
  }

  @Test func `a record with another key than its registration has no string`() throws {
    var record = try CeremonyWorld().register().credential.record
    let other = try SigningKey.generate(.es256, random: .seeded([9], label: "another key")).publicKey
    record.publicKey = other.encoded
    let failure = #expect(throws: FormatError.self) { try record.passkeyRecord }
    #expect(failure?.code == .credentialRecordInvalidMember)
  }

  /// A record's text with these parameters in front of its data.
  private static func text(_ parameters: String) throws -> String {
    let data = try #require(try CeremonyWorld().register().credential.record.passkeyRecord.split(separator: "$").last)
    return "$webauthn$v=1$\(parameters)$\(data)"
  }

  @Test(arguments: [
    "a.b=c", "a/b=c", "a_b=c", "A=c", "=c", "v=1", "x", "x=_", "x=1,x=2", "a=b$c=d", "transports=usb+ble",
    "transports=usb+usb", "transports=", "transports=usb+",
  ])
  func `malformed parameters are refused`(parameters: String) throws {
    let text = try Self.text(parameters)
    let error = #expect(throws: CeremonyError.self) { try CredentialRecord(passkeyRecord: text) }
    #expect(error?.code == .importRecordMalformed)
  }

  @Test func `up to 32 transports and unknown parameters are read`() throws {
    func read(_ count: Int) throws -> Int {
      let names = (10..<10 + count).map { "t\($0)" }
      return try CredentialRecord(passkeyRecord: Self.text("a-b1=c.d/e,transports=" + names.joined(separator: "+")))
        .transports.count
    }
    #expect(try read(32) == 32)
    let error = #expect(throws: CeremonyError.self) { try read(33) }
    #expect(error?.code == .importRecordMalformed)
  }

  @Test func `a record has at most 8192 bytes`() throws {
    func record(_ count: Int) throws -> CredentialRecord {
      try CeremonyWorld().register { $0.extensions = ["x": .bytes([UInt8](repeating: 0, count: count))] }.credential
        .record
    }
    let object = try AttestationObject(parsing: #require(try record(1000).attestationObject))
    let most = 1000 + 8192 - object.authenticatorData.encoded.count
    let longest = try record(most)
    #expect(try CredentialRecord(passkeyRecord: longest.passkeyRecord).id == longest.id)
    #expect(throws: FormatError.self) { try record(most + 1).passkeyRecord }
  }

  @Test func `texts that are no records are refused and never trap`() throws {
    let text = try CeremonyWorld().register { _ in }.credential.record.passkeyRecord
    try PropertyRuns.check(default: 1_000) { generator in
      let bytes = Mutation.mutated([UInt8](text.utf8), using: &generator)
      guard let changed = String(validating: bytes, as: UTF8.self) else { return }
      do throws(CeremonyError) {
        let read = try CredentialRecord(passkeyRecord: changed)
        _ = try? read.passkeyRecord
      } catch {
        #expect(error.code.rawValue.hasPrefix("credential-import."))
      }
    }
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `another library's records are read alike`() throws {
    let cases = try JSON.parse(SharedVectors.bytes("passkey-record/records.json")[...]).array
    var counts = (accepted: 0, refused: 0)
    for one in cases {
      let name = try one.require("name").string
      let text = try one.require("record").string
      guard let error = try one["error"]?.string else {
        let record = try CredentialRecord(passkeyRecord: text)
        #expect(try record.passkeyRecord == one["canonical"]?.string ?? text, "\(name)")
        #expect(try Hex.encode(record.id.bytes) == one.require("credentialId").string, "\(name)")
        #expect(
          try record.transports.map(\.rawValue) == one.require("transports").array.map { try $0.string }, "\(name)")
        let flags = try one.require("flags")
        #expect(try record.uvInitialized == flags.require("UV").bool, "\(name)")
        #expect(try record.backupEligible == flags.require("BE").bool, "\(name)")
        #expect(try record.backupState == flags.require("BS").bool, "\(name)")
        counts.accepted += 1
        continue
      }
      // We read more algorithms, and RSA keys of other lengths, or with a zero in front of the modulus.
      let isWider =
        ["unsupported-algorithm", "unsupported-rsa-modulus-size"].contains(error)
        || name == "cose-rsa-modulus-leading-zero"
      #expect(isWider || (try? CredentialRecord(passkeyRecord: text)) == nil, "\(name): \(error)")
      counts.refused += 1
    }
    #expect(counts.accepted > 10 && counts.refused > 30)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `records of ceremonies that a Chrome made are those of their registrations`() throws {
    let file = try JSON.parse(SharedVectors.bytes("passkey-record/chrome.json")[...])
    let recordings = Array(try file.require("recordings").array)
    #expect(recordings.count > 1)
    for recording in recordings {
      let response = try RegistrationResponse(json: recording.require("registration").require("response"))
      let data = try AttestationObject(parsing: response.attestationObject).authenticatorData
      let key = try #require(data.attestedCredentialData).credentialPublicKey
      let record = CredentialRecord(
        id: response.id, publicKey: [UInt8](key), signCount: 0, uvInitialized: false, transports: response.transports,
        backupEligible: false, backupState: false, attestationObject: [UInt8](response.attestationObject))
      let read = try CredentialRecord(passkeyRecord: record.passkeyRecord)
      #expect(try read.passkeyRecord == record.passkeyRecord)
      #expect(try Hex.encode(read.id.bytes) == recording.require("credentialId").string)
      #expect(try read.transports.map(\.rawValue) == recording.require("transports").array.map { try $0.string })
      #expect(try read.uvInitialized == recording.require("userVerified").bool)
      #expect(try read.backupEligible == recording.require("backupEligible").bool)
    }
  }
}
