// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct CeremonyPayloadTests {
  private static let intents: [RegistrationIntent] = {
    guard let handle = try? UserHandle([1, 2, 3]), let email = try? EmailAddress("ada@raxx.app"),
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
      .signUp(named, code: nil), .signUp(both, code: code), .signUp(plain, code: nil), .signUp(invited, code: code),
      .recovery(handle, code: code), .addition(handle),
    ]
  }()

  @Test func `a payload survives a round trip`() {
    #expect(Self.intents.count == 6)
    for payload in Self.intents.flatMap({ [CeremonyPayload($0), CeremonyPayload($0, record: [9, 8, 7])] }) {
      #expect(CeremonyPayload(parsing: payload.encoded) == payload)
    }
  }

  @Test func `a damaged payload is refused`() {
    for intent in Self.intents {
      let bytes = CeremonyPayload(intent).encoded
      #expect(CeremonyPayload(parsing: Array(bytes.dropLast())) == nil)
      #expect(CeremonyPayload(parsing: bytes + [0]) == nil)
    }
    #expect(CeremonyPayload(parsing: []) == nil)
    for (version, kind) in [(2, 3), (3, 9), (3, 2), (4, 3)] as [(UInt64, UInt64)] {
      #expect(
        CeremonyPayload(
          parsing: CBORWriter.bytes(of: [0: .unsigned(version), 1: .unsigned(kind), 4: .bytes([1])])) == nil)
    }
    #expect(CeremonyPayload(parsing: CBORWriter.bytes(of: [0: 3, 1: 3, 4: .bytes([1])])) != nil)
  }
}
