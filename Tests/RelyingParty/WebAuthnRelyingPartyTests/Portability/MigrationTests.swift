// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Rows of another library.
@Suite struct MigrationTests {
  private let world: CeremonyWorld
  private let registered: StoredCredential

  init() throws {
    world = try CeremonyWorld()
    registered = try world.register { $0.signCount = 7 }.credential
  }

  private func migrated(
    _ id: String? = nil, publicKey: [UInt8]? = nil, uvInitialized: Bool = true, backupEligible: Bool = false,
    backupState: Bool = false
  ) throws(CeremonyError) -> StoredCredential {
    try StoredCredential(
      migrating: id ?? Base64.encode(registered.record.id.bytes), publicKey: publicKey ?? registered.record.publicKey,
      signCount: 7, of: registered.user, uvInitialized: uvInitialized, backupEligible: backupEligible,
      backupState: backupState)
  }

  @Test func `a row signs in, with its ID in any form of base64`() throws {
    let id = registered.record.id.bytes
    for text in [Base64.encode(id), Base64URL.encode(id), String(Base64.encode(id).prefix { $0 != "=" })] {
      let stored = try migrated(text)
      #expect(stored.user == registered.user && stored.record.id == registered.record.id)
      #expect(try world.authenticate(stored: stored) { $0.signCount = 8 }.credential.record.signCount == 8)
    }
  }

  @Test func `a row without user verification does not count it`() throws {
    let stored = try migrated(uvInitialized: false)
    let error = #expect(throws: CeremonyError.self) { try world.authenticate(stored: stored) { $0.signCount = 8 } }
    #expect(error?.code == .authenticationUserVerificationNotInitialized)
  }

  @Test func `a row without backup flags signs in, and the difference is reported`() throws {
    let stored = try migrated()
    let result = try world.authenticate(stored: stored) {
      $0.signCount = 8
      $0.flags.formUnion([.backupEligible, .backedUp])
    }
    #expect(result.backup.eligibilityChanged && result.credential.record.backupState)
  }

  @Test(arguments: ["", "?", "A"])
  func `an invalid ID is refused`(id: String) {
    let error = #expect(throws: CeremonyError.self) { try migrated(id) }
    #expect(error?.code == .importRecordMalformed)
  }

  @Test func `an invalid key, or one off its curve, is refused`() throws {
    var moved = registered.record.publicKey
    moved[moved.count - 1] ^= 1
    for key in [[], [0xa0], moved, registered.record.publicKey + [0]] {
      let error = #expect(throws: CeremonyError.self) { try migrated(publicKey: key) }
      #expect(error?.code == .importKeyMalformed)
    }
  }

  @Test func `only an eligible passkey is backed up`() throws {
    #expect(try migrated(backupEligible: true, backupState: true).record.backupState)
    let error = #expect(throws: CeremonyError.self) { try migrated(backupState: true) }
    #expect(error?.code == .importRecordInconsistent)
  }
}
