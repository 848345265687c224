// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Credentials of other users, decreasing counters, contradictory flags, and data of invalid length.
@Suite struct CredentialAttackTests {
  private let world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `one credential of a user cannot answer for another`() throws {
    let first = try world.credential()
    let otherKey = try SigningKey.generate(.es256, random: .seeded([9], label: "second credential"))
    let second = try world.credential {
      $0.record.id = try CredentialID([UInt8](repeating: 8, count: 32))
      $0.record.publicKey = otherKey.publicKey.encoded
    }
    let asked = UserIdentification.knownBefore(
      world.user, credentials: [first.record.descriptor, second.record.descriptor])
    let useSecond = { (device: inout TestDevice) in
      device.credentialID = [UInt8](repeating: 8, count: 32)
      device.key = otherKey
    }
    #expect(try world.authenticate(as: asked, stored: first).credential.record.id == first.record.id)
    #expect(try world.authenticate(as: asked, stored: second, useSecond).credential.record.id == second.record.id)
    // The response names one credential, and the store returned the other.
    expectFailure(.authenticationCredentialMismatch, step: 6) { try world.authenticate(as: asked, stored: second) }
    expectFailure(.authenticationCredentialMismatch, step: 6) {
      try world.authenticate(as: asked, stored: first, useSecond)
    }
    // The response names one credential, and the other one signed.
    expectFailure(.authenticationSignatureInvalid, step: 21) {
      try world.authenticate(as: asked, stored: first) { $0.signingKey = otherKey }
    }
    // Only the first credential was requested.
    expectFailure(.authenticationCredentialNotAllowed, step: 5) {
      try world.authenticate(
        as: .knownBefore(world.user, credentials: [first.record.descriptor]), stored: second, useSecond)
    }
  }

  @Test(
    arguments: [
      (0, 0, nil), (0, 1, true), (0, .max, true), (1, 0, false), (1, 1, false), (1, 2, true), (.max, .max, false),
      (.max, 0, false), (.max, 1, false), (.max - 1, .max, true), (0x7fff_ffff, 0x8000_0000, true),
      (0x8000_0000, 0x7fff_ffff, false),
    ] as [(UInt32, UInt32, Bool?)])
  func `a counter never wraps around`(
    stored: UInt32, received: UInt32, hasIncreased: Bool?
  ) throws {
    let expected: VerifiedAuthentication.CounterSignal =
      switch hasIncreased {
      case nil: .notCounted
      case true?: .increased(from: stored, to: received)
      case false?: .notIncreased(from: stored, to: received)
      }
    let result = try world.authenticate(stored: world.credential { $0.record.signCount = stored }) {
      $0.signCount = received
    }
    #expect(result.counter == expected)
    #expect(result.credential.record.signCount == received)
    var strict = world
    strict.policy.signCount = .refuse
    guard hasIncreased == false else { return }
    expectFailure(.authenticationSignCountNotGreater, step: 22) {
      try strict.authenticate(stored: world.credential { $0.record.signCount = stored }) { $0.signCount = received }
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `backup flags are consistent with each other and the record`(wasEligible: Bool, refuses: Bool) throws {
    var world = world
    world.policy.backupEligibilityChange = refuses ? .refuse : .report
    let stored = try world.credential { $0.record.backupEligible = wasEligible }
    for (isEligible, isBackedUp) in [(false, false), (true, false), (true, true), (false, true)] {
      let authenticate = {
        try world.authenticate(stored: stored) {
          if isEligible { $0.flags.insert(.backupEligible) }
          if isBackedUp { $0.flags.insert(.backedUp) }
        }
      }
      if isBackedUp, !isEligible {
        expectFailure(.authenticationBackupStateInvalid, step: 18, authenticate)
      } else if refuses, isEligible != wasEligible {
        expectFailure(.authenticationBackupEligibilityChanged, step: 19, authenticate)
      } else {
        let result = try authenticate()
        #expect(result.backup.eligibilityChanged == (isEligible != wasEligible))
        #expect(result.backup.stateChanged == isBackedUp)
        #expect(result.credential.record.backupState == isBackedUp)
        // The standard never updates this item; the caller must judge a change.
        #expect(result.credential.record.backupEligible == wasEligible)
      }
    }
  }

  @Test func `credential data in an assertion are signed, parsed and ignored`() throws {
    let other = try SigningKey.generate(.es256, random: .seeded([9], label: "smuggled"))
    var attested = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16)))
    attested.credentialID = [1]
    attested.key = other
    let smuggled = attested.authenticatorData(attested: true).dropFirst(37)
    let result = try world.authenticate {
      $0.corruptAuthenticatorData = { data in
        data[32] |= AuthenticatorFlags.attestedCredentialData.rawValue
        data += smuggled
      }
    }
    #expect(try result.credential.record.publicKey == world.credential().record.publicKey)
    #expect(try result.credential.record.id == world.credential().record.id)
  }

  @Test func `a key with unknown parameters is stored unchanged and verifies`() throws {
    let key = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16))).key
    guard case .map(var parameters) = key.publicKey.tree else {
      Issue.record("not a map")
      return
    }
    parameters[2] = .bytes([1, 2, 3])
    parameters[4] = [2]
    parameters["x"] = .null
    let encoded = CBORWriter.bytes(of: .map(parameters))
    let registered = try world.register { $0.publicKey = encoded }
    #expect(registered.credential.record.publicKey == encoded)
    _ = try world.authenticate(stored: registered.credential)
  }

  @Test(arguments: [COSEAlgorithm.eddsa, .ed25519, .ed448])
  func `an Edwards key of small order is refused at registration and in a store`(
    algorithm: COSEAlgorithm
  ) throws {
    guard let curve = algorithm.definition?.curve, let byteCount = curve.byteCount else {
      throw CeremonyWorld.Unexpected()
    }
    // The neutral element; R = the neutral element with S = 0 is a valid signature over every message.
    let neutral = [1] + [UInt8](repeating: 0, count: byteCount - 1)
    let key = CBORWriter.bytes(
      of: [1: 1, 3: .integer(algorithm.rawValue), -1: .integer(curve.rawValue), -2: .bytes(neutral)])
    var willing = world
    willing.policy.algorithms = [algorithm]
    expectFailure(.registrationKeyMalformed, step: 20) { try willing.register { $0.publicKey = key } }
    let stored = try world.credential { $0.record.publicKey = key }
    expectFailure(.authenticationKeyMalformed, step: 21) {
      try world.finish(stored) { $0.signature = (neutral + [UInt8](repeating: 0, count: byteCount))[...] }
    }
  }

  @Test func `empty values are refused`() throws {
    expectFailure(.authenticationSignatureInvalid, step: 21) { try world.finish { $0.signature = [] } }
    expectFailure(.authenticationAuthenticatorDataMalformed, step: 7) { try world.finish { $0.authenticatorData = [] } }
    expectFailure(.authenticationClientDataMalformed, step: 9) { try world.finish { $0.clientDataJSON = [] } }
    expectFailure(.authenticationKeyMalformed, step: 21) {
      try world.authenticate(stored: world.credential { $0.record.publicKey = [] })
    }
  }

  @Test func `a malformed response is refused before the first step`() throws {
    let whole = String(decoding: try world.response().json, as: UTF8.self)
    _ = try AuthenticationResponse(json: [UInt8](whole.utf8)[...])
    let id = Base64URL.encode([UInt8](repeating: 7, count: 32))
    for (old, new, code) in [
      ("\"rawId\":\"\(id)\"", "\"rawId\":\"\(id)=\"", FormatError.Code.authenticationResponseInvalidMember),
      ("\"rawId\":\"\(id)\"", "\"rawId\":\"\"", .credentialIDInvalidLength),
      ("\"rawId\":\"\(id)\"", "\"rawId\":\"+\(id.dropFirst())\"", .authenticationResponseInvalidMember),
      ("\"id\":\"\(id)\"", "\"id\":\"\(id)=\"", .authenticationResponseIDMismatch),
      ("\"id\":\"\(id)\"", "\"id\":\"\"", .authenticationResponseIDMismatch),
      ("\"id\":\"\(id)\"", "\"id\":\"\(id)\",\"id\":\"\(id)\"", .authenticationResponseMalformed),
      ("\"id\":\"\(id)\"", "\"id\":\"\(id)\",\"\\u0069d\":\"x\"", .authenticationResponseMalformed),
      ("\"type\":\"public-key\"", "\"type\":\"public-Key\"", .authenticationResponseUnknownType),
      ("\"type\":\"public-key\"", "\"type\":\"publi\u{107}-key\"", .authenticationResponseUnknownType),
      ("\"type\":\"public-key\"", "\"type\":null", .authenticationResponseMissingMember),
    ] {
      let corrupted = whole.replacing(old, with: new)
      #expect(corrupted != whole, "\(old)")
      #expect("\(new)") {
        try AuthenticationResponse(json: [UInt8](corrupted.utf8)[...])
      } throws: { error in
        (error as? FormatError)?.code == code
      }
    }
  }
}

extension CeremonyWorld {
  /// Returns an authentication response without a matching ceremony.
  fileprivate func response() throws -> AuthenticationResponse {
    var device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16)))
    device.type = .get
    return try device.authentication()
  }

  /// Signs in with a response that is changed after it was created.
  fileprivate func finish(
    _ stored: StoredCredential? = nil, _ corrupt: (inout AuthenticationResponse) -> Void
  ) throws -> VerifiedAuthentication {
    let relyingParty = try relyingParty()
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: Self.now, random: random)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    var response = try device.authentication()
    corrupt(&response)
    return try relyingParty.finishAuthentication(
      response, pending: begun.pending, credential: stored ?? credential(), at: Self.now)
  }
}
