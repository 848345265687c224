// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

private struct AlreadySpent: Error {}

// [shown]
/// Finishes sign-ins that were sealed into their challenges. `spent` is a table with one unique column.
struct SealedSignIns {
  let relyingParty: RelyingParty
  let sealer: ChallengeSealer
  private var spent: Set<[UInt8]> = []

  init(_ relyingParty: RelyingParty, _ sealer: ChallengeSealer) {
    (self.relyingParty, self.sealer) = (relyingParty, sealer)
  }

  func begin(for cookie: String, at now: UnixTime) throws -> RequestOptions {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: CeremonyBinding(cookie), at: now)
    return try sealer.seal(begun, for: "sign-in")
  }

  mutating func finish(
    _ response: AuthenticationResponse, for cookie: String, with stored: StoredCredential, at now: UnixTime
  ) throws -> VerifiedAuthentication {
    let binding = CeremonyBinding(cookie)
    let opened = try sealer.openAuthentication(response, of: relyingParty, binding: binding, for: "sign-in")
    let id = opened.id.bytes
    guard !spent.contains(id) else { throw AlreadySpent() }
    let result = try relyingParty.finishAuthentication(
      response, pending: opened.pending, binding: binding, credential: stored, at: now)
    // INSERT INTO spent (id) VALUES (…), in the transaction that stores the result: the second one fails.
    guard spent.insert(id).inserted else { throw AlreadySpent() }
    return result
  }
}
// [until here]

@Suite struct SealingPendingCeremoniesTests {
  @Test func `a sealed sign-in is finished once, in its browser, in time`() throws {
    let (world, now) = (try CeremonyWorld(), CeremonyWorld.now)
    let stored = try world.credential()
    let sealer = try ChallengeSealer(keys: [SecretBytes([UInt8](repeating: 1, count: 32))])
    var signIns = SealedSignIns(try world.relyingParty(), sealer)
    var device = try TestDevice(challenge: signIns.begin(for: "a cookie", at: now).challenge)
    device.type = .get
    let response = try device.authentication()
    expectFailure(.sealBroken, step: nil) { try signIns.finish(response, for: "another", with: stored, at: now) }
    expectFailure(.expired, step: nil) {
      try signIns.finish(response, for: "a cookie", with: stored, at: now + .seconds(301))
    }
    #expect(try signIns.finish(response, for: "a cookie", with: stored, at: now).user == world.user)
    #expect(throws: AlreadySpent.self) { try signIns.finish(response, for: "a cookie", with: stored, at: now) }
  }
}
