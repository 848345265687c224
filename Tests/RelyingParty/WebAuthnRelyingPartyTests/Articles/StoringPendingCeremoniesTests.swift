// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

// [shown]
/// Pending ceremonies by session: one table with the columns session, ceremony and expiry.
struct PendingCeremonies {
  private var rows: [String: (ceremony: [UInt8], expiry: UnixTime)] = [:]

  mutating func keep(_ pending: borrowing PendingAuthentication, for session: String) {
    rows[session] = (pending.bytes, pending.expiry)
  }

  /// Deletes the row and returns it: a second response finds nothing.
  mutating func take(_ session: String) throws -> PendingAuthentication? {
    guard let row = rows.removeValue(forKey: session) else { return nil }
    return try PendingAuthentication(taken: row.ceremony)
  }

  /// Deletes expired rows. The relying party refuses them anyway; this frees their space.
  mutating func forgetExpired(at now: UnixTime) {
    rows = rows.filter { $0.value.expiry >= now }
  }
}
// [until here]

// [shown]
/// Pending ceremonies by challenge: in the table, the column challenge replaces the column session.
struct CeremoniesByChallenge {
  private var rows: [[UInt8]: [UInt8]] = [:]

  mutating func keep(_ pending: borrowing PendingAuthentication) {
    rows[pending.challenge.bytes] = pending.bytes
  }

  /// DELETE … WHERE challenge = … RETURNING ceremony
  mutating func take(for response: AuthenticationResponse) throws -> PendingAuthentication? {
    guard let ceremony = rows.removeValue(forKey: try response.challenge.bytes) else { return nil }
    return try PendingAuthentication(taken: ceremony)
  }
}
// [until here]

private struct NothingPending: Error {}

@Suite struct StoringPendingCeremoniesTests {
  let now = CeremonyWorld.now

  private func begin() throws -> PendingAuthentication {
    let begun = try CeremonyWorld().relyingParty().beginAuthentication(of: .fromResponse, at: now)
    return begun.pending
  }

  @Test func `a ceremony is taken once, as stored`() throws {
    var table = PendingCeremonies()
    let pending = try begin()
    table.keep(pending, for: "s1")
    #expect(try table.take("s1")?.bytes == pending.bytes)
    #expect(try table.take("s1")?.bytes == nil)
  }

  @Test func `a new ceremony replaces the old one`() throws {
    var table = PendingCeremonies()
    let first = try begin()
    let second = try begin()
    table.keep(first, for: "s1")
    table.keep(second, for: "s1")
    #expect(first.bytes != second.bytes)
    #expect(try table.take("s1")?.bytes == second.bytes)
  }

  @Test func `expired ceremonies are deleted, and others are kept`() throws {
    var table = PendingCeremonies()
    table.keep(try begin(), for: "s1")
    table.forgetExpired(at: now + .seconds(300))
    table.keep(try begin(), for: "s2")
    #expect(try table.take("s1")?.bytes != nil)
    table.forgetExpired(at: now + .seconds(301))
    #expect(try table.take("s2")?.bytes == nil)
  }

  @Test func `two tabs of a session finish their ceremonies, each once`() throws {
    let world = try CeremonyWorld()
    let (relyingParty, stored, cookie) = (try world.relyingParty(), try world.credential(), "a random value")
    var table = CeremoniesByChallenge()
    var device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 32)))
    device.type = .get
    var responses: [AuthenticationResponse] = []
    for _ in 0..<2 {
      let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: CeremonyBinding(cookie), at: now)
      device.challenge = begun.pending.challenge
      table.keep(begun.pending)
      responses.append(try device.authentication())
    }
    for response in responses {
      // [shown]
      guard let pending = try table.take(for: response) else { throw NothingPending() }
      let result = try relyingParty.finishAuthentication(
        response, pending: pending, binding: CeremonyBinding(cookie), credential: stored, at: now)
      // [until here]
      #expect(result.user == world.user)
    }
    #expect(try table.take(for: responses[0])?.bytes == nil)
  }

  @Test func `a server with a slow clock finishes another server's ceremony`() throws {
    let world = try CeremonyWorld()
    let (relyingParty, credential) = (try world.relyingParty(), try world.credential())
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: now)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    let result = try relyingParty.finishAuthentication(
      device.authentication(), pending: begun.pending.duplicateForTesting(), credential: credential,
      at: now - .seconds(100_000))
    #expect(result.user == world.user)
    let response = try device.authentication()
    expectFailure(.expired, step: nil) {
      try relyingParty.finishAuthentication(
        response, pending: begun.pending.duplicateForTesting(), credential: credential, at: now + .seconds(301))
    }
  }

  @Test func `corrupted data from the store are refused`() throws {
    let bytes = try begin().bytes
    expectFailure(.pendingMalformed, step: nil) { try PendingAuthentication(taken: bytes.dropLast()) }
    expectFailure(.pendingMalformed, step: nil) { try PendingRegistration(taken: bytes) }
  }
}
