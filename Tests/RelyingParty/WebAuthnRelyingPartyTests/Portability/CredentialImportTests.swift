// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct CredentialImportTests {
  private let world: CeremonyWorld
  private let id: RelyingPartyID

  init() throws {
    world = try CeremonyWorld()
    id = try RelyingPartyID("raxx.app")
  }

  /// Registers a credential in which every item is present.
  private func registered() throws -> StoredCredential {
    try world.register { device in
      device.flags = [.userPresent, .userVerified, .backupEligible, .backedUp]
      device.signCount = 7
    }.credential
  }

  private func importing(_ text: String) throws -> CredentialImport {
    try CredentialImport(json: [UInt8](text.utf8), for: id)
  }

  /// Returns the document of one credential with one text replaced.
  private func document(_ good: String, _ bad: String) throws -> String {
    let text = String(decoding: CredentialExport([try registered()]).json, as: UTF8.self)
    #expect(text.contains(good))
    return text.replacing(good, with: bad)
  }

  @Test func `an export survives a round trip with every item`() throws {
    var full = try registered()
    full.record.transports = [.internal, AuthenticatorTransport(rawValue: "by-pigeon")]
    let least = try world.credential {
      $0.record.id = try CredentialID([1])
      $0.record.relyingPartyID = id
    }
    let imported = try CredentialImport(json: CredentialExport([full, least]).json, for: id)
    #expect(imported.refused.isEmpty)
    #expect(imported.credentials == [full, least])
    // Also through the store's encoding.
    for credential in imported.credentials {
      #expect(try CredentialRecord(parsing: credential.record.encoded) == credential.record)
    }
  }

  @Test func `the document has the documented form`() throws {
    let credential = StoredCredential(
      user: try UserHandle([1]),
      record: CredentialRecord(
        id: try CredentialID([2]), publicKey: [3], signCount: 4, uvInitialized: true, transports: [.usb],
        backupEligible: true, backupState: false, attestationObject: [5], attestationClientDataJSON: [6],
        relyingPartyID: id))
    #expect(
      String(decoding: CredentialExport([credential]).json, as: UTF8.self) == """
        {
          "format": "passkey-credentials",
          "version": 1,
          "credentials": [
            {
              "userHandle": "AQ",
              "type": "public-key",
              "id": "Ag",
              "publicKey": "Aw",
              "signCount": 4,
              "uvInitialized": true,
              "transports": [
                "usb"
              ],
              "backupEligible": true,
              "backupState": false,
              "attestationObject": "BQ",
              "attestationClientDataJSON": "Bg",
              "rpId": "raxx.app"
            }
          ]
        }
        """)
  }

  @Test func `a credential without a scope gets the store's`() throws {
    let imported = try CredentialImport(json: CredentialExport([try world.credential()]).json, for: id)
    #expect(imported.credentials.map(\.record.relyingPartyID) == [id])
  }

  @Test func `an invalid credential is reported, and the others are imported`() throws {
    let good = try registered()
    var bad = try world.credential()
    bad.record.id = try CredentialID([9])
    bad.record.publicKey = [0xa0]
    let other = try world.credential { $0.record.id = try CredentialID([8]) }
    let imported = try CredentialImport(json: CredentialExport([good, bad, other]).json, for: id)
    #expect(imported.credentials.map(\.record.id) == [good.record.id, other.record.id])
    let refusal = try #require(imported.refused.first)
    #expect(imported.refused.count == 1)
    #expect(refusal.index == 1)
    #expect(refusal.credentialID == bad.record.id)
    #expect(refusal.error.code == .importKeyMalformed)
  }

  @Test func `a duplicate credential is imported once`() throws {
    let credential = try registered()
    let imported = try CredentialImport(json: CredentialExport([credential, credential]).json, for: id)
    #expect(imported.credentials == [credential])
    #expect(imported.refused.map(\.error.code) == [.importCredentialRepeated])
    #expect(imported.refused.map(\.index) == [1])
  }

  @Test(arguments: [
    (#""type": "public-key""#, #""type": "password""#, "type"),
    (#""signCount": 7"#, #""signCount": 4294967296"#, "signCount"),
    (#""signCount": 7"#, #""signCount": -1"#, "signCount"),
    (#""uvInitialized": true"#, #""uvInitialized": 1"#, "uvInitialized"),
    (#""transports": []"#, #""transports": [1]"#, "transports"), (#""rpId": "raxx.app""#, #""rpId": "Raxx""#, "rpId"),
    (#""userHandle": "dXNlci0x""#, #""userHandle": """#, "userHandle"),
    (#""userHandle": "dXNlci0x""#, #""userHandle": "dXNlci0x=""#, "userHandle"),
    (#""backupState": true"#, #""backupStat": true"#, "backupStat"), (#""signCount": 7,"#, "", "signCount"),
    (#""signCount": 7"#, #""signCount": null"#, "signCount"),
  ])
  func `an invalid member is named`(good: String, bad: String, member: String) throws {
    let imported = try importing(try document(good, bad))
    #expect(imported.credentials.isEmpty)
    let error = try #require(imported.refused.first?.error)
    #expect(error.code == .importRecordMalformed)
    guard case .format(let format) = error.cause else { throw WithoutCause() }
    #expect(format.member == member)
  }

  private struct WithoutCause: Error {}

  @Test(arguments: [
    (#""backupEligible": true"#, #""backupEligible": false"#), (#""rpId": "raxx.app""#, #""rpId": "other.example""#),
  ])
  func `contradictory items are refused`(good: String, bad: String) throws {
    #expect(try importing(try document(good, bad)).refused.map(\.error.code) == [.importRecordInconsistent])
  }

  @Test func `a credential of another relying party is refused, also without its attestation`() throws {
    var credential = try registered()
    credential.record.attestationObject = nil
    credential.record.relyingPartyID = try RelyingPartyID("other.example")
    let imported = try CredentialImport(json: CredentialExport([credential]).json, for: id)
    #expect(imported.refused.map(\.error.code) == [.importRecordInconsistent])
  }

  @Test func `an attestation of another credential is refused`() throws {
    let credential = try registered()
    let otherKey = try world.register { $0.key = try .generate(.es256, random: world.random) }.credential.record
    var device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16)))
    device.type = .get
    let ofSignIn = device.clientDataJSON[...]
    device.relyingPartyID = "other.example"
    let ofAnotherParty = try device.registration().attestationObject
    let changes: [(inout CredentialRecord) throws -> Void] = [
      { $0.id = try CredentialID([1]) },
      { $0.publicKey = otherKey.publicKey },
      { $0.attestationClientDataJSON = [UInt8](ofSignIn) },
      { $0.attestationObject = [UInt8](ofAnotherParty) },
    ]
    for change in changes {
      var corrupted = credential
      try change(&corrupted.record)
      let imported = try CredentialImport(json: CredentialExport([corrupted]).json, for: id)
      #expect(imported.refused.map(\.error.code) == [.importRecordInconsistent])
    }
  }

  @Test func `a malformed attestation is refused`() throws {
    var corrupted = try registered()
    corrupted.record.attestationObject = [0xa0]
    let imported = try CredentialImport(json: CredentialExport([corrupted]).json, for: id)
    #expect(imported.refused.map(\.error.code) == [.importRecordMalformed])
  }

  @Test(arguments: [
    ("", CeremonyError.Code.importMalformed), ("[]", .importMalformed), ("{}", .importMalformed),
    (#"{"format":"passwords","version":1,"credentials":[]}"#, .importMalformed),
    (#"{"format":"passkey-credentials","version":1,"credentials":{}}"#, .importMalformed),
    (#"{"format":"passkey-credentials","version":2,"credentials":[]}"#, .importVersionUnknown),
  ])
  func `a malformed document is refused completely`(text: String, code: CeremonyError.Code) {
    expectFailure(code, step: nil) { try importing(text) }
  }

  @Test func `an oversized document is refused completely`() throws {
    let document = CredentialExport([try registered()]).json
    expectFailure(.importMalformed, step: nil) {
      try CredentialImport(json: document, for: id, maximumByteCount: document.count - 1)
    }
    #expect(try CredentialImport(json: document, for: id, maximumByteCount: document.count).refused.isEmpty)
  }

  @Test func `corrupt documents are refused, or the result survives a round trip`() throws {
    let seed = CredentialExport([try registered(), try world.credential { $0.record.id = try CredentialID([9]) }]).json
    try PropertyRuns.check(default: 1_000) { generator in
      let text = Mutation.mutated(seed, using: &generator)
      guard let imported = try? CredentialImport(json: text, for: id) else { return }
      let again = try CredentialImport(json: CredentialExport(imported.credentials).json, for: id)
      if again.credentials != imported.credentials || !again.refused.isEmpty { throw Changed(text: text) }
    }
  }

  private struct Changed: Error {
    let text: [UInt8]
  }
}
