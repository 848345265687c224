// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import SystemCrypto
import Testing
import WebAuthnTypes
import WireFormats

@testable import PasskeyService

struct CeremonyPayloadTests {
  private static let intents: [CeremonyIntent] = {
    guard let handle = try? UserHandle([1, 2, 3]), let email = try? EmailAddress("ada@raxx.app"),
      let session: SessionID = try? RandomSource.system.draw(SessionID.self),
      let code: TokenDigest = try? RandomSource.system.draw(TokenDigest.self)
    else { return [] }
    let plain = Account(handle: handle, email: email, state: .pending, created: ServiceWorld.start)
    let invited = Account(
      handle: handle, email: email, state: .active, roles: [.administrator, Role(rawValue: "x")],
      created: ServiceWorld.start)
    guard let username = try? Username("Ada") else { return [] }
    let named = Account(
      handle: handle, names: AccountNames(username: username), state: .active, created: ServiceWorld.start)
    let both = Account(
      handle: handle, names: AccountNames(username: username, email: email), state: .active,
      created: ServiceWorld.start)
    return [
      .signUp(named, code: nil), .signUp(both, code: code), .reverification(session: session),
      .signUp(plain, code: nil), .signUp(invited, code: code), .recovery(handle, code: code),
      .addition(handle, session: session), .signIn, .stepUp(session: session),
    ]
  }()

  @Test func `a payload survives a round trip`() {
    #expect(Self.intents.count == 9)
    for intent in Self.intents {
      let payload = CeremonyPayload(ceremony: [9, 8, 7], intent: intent)
      #expect(CeremonyPayload(parsing: payload.encoded) == payload)
    }
  }

  @Test func `a damaged payload is refused`() {
    for intent in Self.intents {
      let bytes = CeremonyPayload(ceremony: [9], intent: intent).encoded
      #expect(CeremonyPayload(parsing: Array(bytes.dropLast())) == nil)
      #expect(CeremonyPayload(parsing: bytes + [0]) == nil)
    }
    #expect(CeremonyPayload(parsing: []) == nil)
    #expect(CeremonyPayload(parsing: CBORWriter.bytes(of: [0: 1, 1: 4, 2: .bytes([])])) == nil)
    #expect(CeremonyPayload(parsing: CBORWriter.bytes(of: [0: 2, 1: 9, 2: .bytes([])])) == nil)
    // A step-up ceremony without its session would be valid in any session.
    #expect(CeremonyPayload(parsing: CBORWriter.bytes(of: [0: 2, 1: 5, 2: .bytes([])])) == nil)
    #expect(CeremonyPayload(parsing: CBORWriter.bytes(of: [0: 2, 1: 5, 2: .bytes([]), 10: .bytes([1])])) == nil)
    #expect(CeremonyPayload(parsing: CBORWriter.bytes(of: [0: 2, 1: 4, 2: .bytes([])])) != nil)
  }
}
