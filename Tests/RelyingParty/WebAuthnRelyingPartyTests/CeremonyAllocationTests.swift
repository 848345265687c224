// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// A user may have many credentials, and an outsider may increase their number. The cost of a ceremony must not grow
/// with it.
@Suite(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
struct CeremonyAllocationTests {
  private static let many = 1_000

  /// Without optimization, mapping an element of an array allocates.
  #if DEBUG
  private static let bytesOfOneLook = 40
  #else
  private static let bytesOfOneLook = 0
  #endif

  private let world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `finishing a sign-in allocates the same for one credential and for a thousand`() throws {
    let one = try authentication(credentials: 1)
    let many = try authentication(credentials: Self.many)
    // The first call allocates values that the thread retains.
    _ = try one()
    let growth = try AllocationCounter.bytes(during: many) - AllocationCounter.bytes(during: one)
    #expect(growth <= (Self.many - 1) * Self.bytesOfOneLook)
  }

  @Test func `beginning a sign-in copies the ids once and nothing else`() throws {
    let growth = try authenticationBytes(credentials: Self.many) - authenticationBytes(credentials: 1)
    #expect(growth <= (Self.many - 1) * (MemoryLayout<CredentialDescriptor>.stride + Self.bytesOfOneLook))
  }

  @Test func `beginning a registration allocates the same for one excluded credential and for a thousand`() throws {
    let one = try registrationCost(excluded: 1)
    let many = try registrationCost(excluded: Self.many)
    #expect(many == one)
  }

  /// Returns a closure that completes a sign-in with the last of `count` credentials.
  private func authentication(credentials count: Int) throws -> () throws -> Void {
    let relyingParty = try world.relyingParty()
    let credential = try world.credential()
    let begun = try relyingParty.beginAuthentication(
      of: .knownBefore(world.user, credentials: descriptors(count - 1) + [credential.record.descriptor]),
      at: CeremonyWorld.now, random: world.random)
    var device = try TestDevice(challenge: begun.options.challenge)
    device.type = .get
    let response = try device.authentication()
    return {
      _ = try relyingParty.finishAuthentication(
        response, pending: begun.pending.duplicateForTesting(), credential: credential, at: CeremonyWorld.now)
    }
  }

  private func authenticationBytes(credentials count: Int) throws -> Int {
    let relyingParty = try world.relyingParty()
    let identification = UserIdentification.knownBefore(world.user, credentials: try descriptors(count))
    let begin = {
      _ = try relyingParty.beginAuthentication(of: identification, at: CeremonyWorld.now, random: world.random)
    }
    try begin()
    return try AllocationCounter.bytes(during: begin)
  }

  private func registrationCost(excluded count: Int) throws -> [Int] {
    let relyingParty = try world.relyingParty()
    let user = UserEntity(id: world.user, name: "ada@example.org", displayName: "Ada")
    let excluded = try descriptors(count)
    let begin = {
      _ = try relyingParty.beginRegistration(
        of: user, excluding: excluded, at: CeremonyWorld.now, random: world.random)
    }
    try begin()
    return [try AllocationCounter.calls(during: begin), try AllocationCounter.bytes(during: begin)]
  }

  private func descriptors(_ count: Int) throws -> [CredentialDescriptor] {
    try (0..<count).map { number in
      CredentialDescriptor(
        id: try CredentialID([UInt8](repeating: 1, count: 16) + [UInt8(number & 0xff), UInt8(number >> 8)]),
        transports: [.internal])
    }
  }
}
