// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

struct AuthServiceMaintenanceTests {
  @Test func `expired data are deleted`() async throws {
    let world = try ServiceWorld({ $0.personalDetailRetention = .seconds(3600) })
    try await world.service.claimStore(at: ServiceWorld.start)
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    _ = try await world.confirm(session, ada)
    _ = try await world.service.invite(nil, by: .console, in: world.at())
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(60)) == 0)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(61)) == 1)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(900)) == 0)
    // The session, and the ceremonies of the sign-up and of the confirmation.
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(901)) == 3)
    let withAddress = try await world.memory.auditEntries(after: 0, of: nil, limit: 99)
      .filter { !$0.personalDetails.isEmpty }
    // And the first checkpoint, because the log has a later one of the same hour.
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(3601)) == withAddress.count + 1)
    #expect(withAddress.count == 5)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(7 * 86_400 + 1)) == 1)
    try await world.service.verifyAuditTrail()
  }

  @Test func `a store belongs to one relying party and one secret`() async throws {
    let world = try ServiceWorld()
    for _ in 0..<2 { try await world.service.claimStore(at: ServiceWorld.start) }
    let party = try RelyingPartyID("example.org")
    let other = try RelyingParty(id: party, name: "Raxx", origins: [WebOrigin("https://example.org")])
    let key = SecretBytes(utf8: "thirty-two bytes for a test only")
    let foreign = try AuthService(
      relyingParty: other, storage: world.storage, decoys: DecoyCredentials(key: key, for: party))
    await expect(.storePartyDiffers) { try await foreign.claimStore(at: ServiceWorld.start) }
    let changed = try AuthService(
      relyingParty: world.service.relyingParty, storage: world.storage,
      decoys: DecoyCredentials(
        key: SecretBytes(utf8: "another key of thirty-two bytes."), for: world.service.relyingParty.id))
    await expect(.storeSecretDiffers) { try await changed.claimStore(at: ServiceWorld.start) }
    try await world.service.claimStore(at: ServiceWorld.start)
  }

  @Test func `a recovery code of a disabled account is refused`() async throws {
    let world = try ServiceWorld()
    let handle = try await world.signUp("ada@raxx.app", Person()).account.handle
    let code = try await world.service.recover(handle, by: .console, in: world.at())
    try await world.service.change(handle, .disable, by: .console, in: world.at())
    try await world.service.change(handle, .enable, by: .console, in: world.at())
    await expect(.signUpCodeRefused) { _ = try await world.signUp("ada@raxx.app", Person(), code: code) }
  }

  @Test func `a working store passes its check`() async throws {
    let world = try ServiceWorld()
    try await world.service.check()
    world.faults.fail(with: StorageError(.readOnly))
    await expect(.storageUnavailable) { try await world.service.check() }
  }
}
