// SPDX-License-Identifier: Apache-2.0

import Testing

// [shown]
import WebAuthnRelyingParty
// [until here]

@Suite struct StepUpAsAProofTests {
  let session = [UInt8]("session 1".utf8)
  let order = [UInt8](#"POST /api/orders {"symbol":"RAXX","quantity":500}"#.utf8)
  let now = CeremonyWorld.now

  private func begin() throws -> (device: TestDevice, stored: StoredCredential, pending: [UInt8]) {
    let world = try CeremonyWorld()
    let (relyingParty, user, stored) = (try world.relyingParty(), world.user, try world.credential())
    // [shown]
    let action = StepUpAction(session: session, action: order)
    let begun = try relyingParty.beginAuthentication(
      of: .knownBefore(user, credentials: [stored.record.descriptor]), purpose: .stepUp(action), at: now)
    // [until here]
    #expect(begun.options.userVerification == .required)
    var device = try TestDevice(challenge: begun.options.challenge)
    device.type = .get
    return (device, stored, begun.pending.bytes)
  }

  @Test func `a confirmed order is placed`() throws {
    let (device, stored, bytes) = try begin()
    let relyingParty = try CeremonyWorld().relyingParty()
    let response = try device.authentication()
    let pending = try PendingAuthentication(taken: bytes)
    var orders = Orders()
    // [shown]
    let action = StepUpAction(session: session, action: order)
    let result = try relyingParty.finishAuthentication(
      response, pending: pending, credential: stored, purpose: .stepUp(action), at: now)
    guard let proof = result.stepUp else { throw OrderError.notConfirmed }
    try orders.place(order, session: session, confirmedBy: proof)
    // [until here]
    #expect(orders.placed == [order])
    #expect(proof.time == now)
    #expect(throws: OrderError.confirmedSomethingElse) {
      try orders.place(order + [0x20], session: session, confirmedBy: proof)
    }
    #expect(throws: OrderError.confirmedSomethingElse) {
      try orders.place(order, session: [], confirmedBy: proof)
    }
  }

  @Test func `a confirmation is for one order only, and opens no session`() throws {
    let (device, stored, pending) = try begin()
    let relyingParty = try CeremonyWorld().relyingParty()
    let response = try device.authentication()
    let other = StepUpAction(session: session, action: order + [0x20])
    for purpose in [AuthenticationPurpose.signIn, .stepUp(other)] {
      expectFailure(.purposeMismatch, step: nil) {
        try relyingParty.finishAuthentication(
          response, pending: PendingAuthentication(taken: pending), credential: stored, purpose: purpose, at: now)
      }
    }
  }
}

// [shown]
struct Orders {
  private(set) var placed: [[UInt8]] = []

  /// Places an order. The proof must be for this order and this session.
  mutating func place(_ order: [UInt8], session: [UInt8], confirmedBy proof: StepUpProof) throws {
    guard proof.confirms(StepUpAction(session: session, action: order)) else {
      throw OrderError.confirmedSomethingElse
    }
    placed.append(order)
  }
}

enum OrderError: Error {
  case confirmedSomethingElse, notConfirmed
}
// [until here]
