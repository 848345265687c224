// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// WebAuthn §7.2, in the order of its steps: input that passes each step, and input that fails there.
@Suite struct AuthenticationCeremonyTests {
  var world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `steps 1 to 25 pass in order`() throws {
    let trace = SpecTrace()
    let result = try world.authenticate(trace: trace)
    #expect(result.user == world.user)
    #expect(result.counter == .notCounted)
    #expect(result.stepUp == nil)
    let numbers = trace.entries.map(\.step)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers) == Set(1...25))
  }

  @Test func `step 5: the credential is one of those requested`() throws {
    let others = [CredentialDescriptor(id: try CredentialID([1, 2, 3]))]
    expectFailure(.authenticationCredentialNotAllowed, step: 5) {
      try world.authenticate(as: .knownBefore(world.user, credentials: others))
    }
  }

  @Test func `step 6: record, user and user handle match`() throws {
    let other = try UserHandle([UInt8]("user-2".utf8))
    expectFailure(.authenticationCredentialMismatch, step: 6) {
      try world.authenticate(
        as: .fromResponse, stored: world.credential { $0.record.id = try CredentialID([1, 2, 3]) })
    }
    expectFailure(.authenticationUserHandleMismatch, step: 6) {
      try world.authenticate(
        as: .knownBefore(world.user, credentials: []), stored: world.credential { $0.user = other })
    }
    expectFailure(.authenticationUserHandleMismatch, step: 6) {
      try world.authenticate { $0.userHandle = [UInt8](other.bytes) }
    }
    expectFailure(.authenticationUserHandleMissing, step: 6) {
      try world.authenticate(as: .fromResponse) { $0.userHandle = nil }
    }
    #expect(try world.authenticate(as: .fromResponse).user == world.user)
    #expect(try world.authenticate { $0.userHandle = nil }.user == world.user)
  }

  @Test func `step 6: an empty user handle counts as absent`() throws {
    let relyingParty = try world.relyingParty()
    let credential = try world.credential()
    for (user, passes) in [(UserIdentification.knownBefore(world.user, credentials: []), true), (.fromResponse, false)]
    {
      let begun = try relyingParty.beginAuthentication(of: user, at: CeremonyWorld.now)
      var device = try TestDevice(challenge: begun.pending.challenge)
      device.type = .get
      let json = try String(decoding: device.authentication().json, as: UTF8.self)
        .replacing(#/"userHandle":"[^"]+"/#, with: #""userHandle":"""#)
      let response = try AuthenticationResponse(json: [UInt8](json.utf8)[...])
      let finish = {
        try relyingParty.finishAuthentication(
          response, pending: begun.pending.duplicateForTesting(), credential: credential, at: CeremonyWorld.now)
      }
      if passes {
        #expect(try finish().user == world.user)
      } else {
        expectFailure(.authenticationUserHandleMissing, step: 6, finish)
      }
    }
  }

  @Test func `step 8: null members of the client data count as absent, and the signature covers the original bytes`()
    throws
  {
    for (crossOrigin, passes) in [("null", true), ("0", false)] {
      let authenticate = {
        try world.authenticate {
          $0.clientDataText = """
            {"type":"webauthn.get","challenge":"\($0.challenge)","origin":"https://raxx.app",\
            "crossOrigin":\(crossOrigin),"topOrigin":null}
            """
        }
      }
      if passes {
        #expect(try authenticate().user == world.user)
      } else {
        expectFailure(.authenticationClientDataMalformed, step: 9, authenticate)
      }
    }
  }

  @Test func `step 21: a stored text-valued key verifies if the policy accepts it`() throws {
    let key = try SigningKey.generate(.eddsa, random: .seeded([3], label: "text-valued key"))
    guard case .okp(_, let x) = key.publicKey.material else { throw CeremonyWorld.Unexpected() }
    let words = CBORWriter.bytes(of: [1: "OKP", 3: -8, -1: "Ed25519", -2: .bytes([UInt8](x))])
    let stored = try world.credential { $0.record.publicKey = words }
    expectFailure(.authenticationKeyMalformed, step: 21) { try world.authenticate(stored: stored) { $0.key = key } }
    var lenient = world
    lenient.policy.textValuedStoredKeys = .accepted
    let result = try lenient.authenticate(stored: stored) { $0.key = key }
    #expect(result.credential.record.publicKey == words)
    #expect(try lenient.authenticate().user == world.user)
    expectFailure(.authenticationSignatureInvalid, step: 21) { try lenient.authenticate(stored: stored) }
    expectFailure(.authenticationKeyMalformed, step: 21) {
      try lenient.authenticate(stored: world.credential { $0.record.publicKey = [0xa0] })
    }
    expectFailure(.registrationKeyMalformed, step: 20) {
      try lenient.register {
        $0.key = key
        $0.publicKey = words
      }
    }
  }

  @Test func `step 7: the authenticator data are complete, without trailing bytes`() throws {
    let corrupted: [(inout [UInt8]) -> Void] = [
      { $0 = [] }, { $0.removeLast() }, { $0.append(0) }, { $0[32] |= 0x80 }, { $0[32] |= 0x40 },
      { $0 = Array($0.prefix(32)) },
    ]
    for corrupt in corrupted {
      expectFailure(.authenticationAuthenticatorDataMalformed, step: 7) {
        try world.authenticate { $0.corruptAuthenticatorData = corrupt }
      }
    }
  }

  @Test func `steps 8 and 9: the client data are JSON, also after a byte order mark`() throws {
    for text in ["", "{", "[]", "null", "{}", "{\"type\":\"webauthn.get\"}"] {
      expectFailure(.authenticationClientDataMalformed, step: 9) {
        try world.authenticate { $0.clientDataText = text }
      }
    }
    _ = try world.authenticate { device in
      device.clientDataText = "\u{feff}" + String(decoding: device.clientDataJSON, as: UTF8.self)
    }
  }

  @Test func `step 10: the type is webauthn.get`() {
    expectFailure(.authenticationTypeMismatch, step: 10) { try world.authenticate { $0.type = .create } }
  }

  @Test func `step 11: the challenge matches`() throws {
    let other = try Challenge([UInt8](repeating: 9, count: 32))
    expectFailure(.authenticationChallengeMismatch, step: 11) { try world.authenticate { $0.challenge = other } }
  }

  @Test func `step 12: the origin is allowed`() {
    expectFailure(.authenticationOriginMismatch, step: 12) {
      try world.authenticate { $0.origin = "https://evil.example" }
    }
  }

  @Test func `steps 13 and 14: cross-origin frames and top origins need the policy's permission`() throws {
    expectFailure(.authenticationCrossOriginRefused, step: 13) { try world.authenticate { $0.crossOrigin = true } }
    expectFailure(.authenticationCrossOriginRefused, step: 14) {
      try world.authenticate { $0.topOrigin = "https://embedder.example" }
    }
    var open = world
    open.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://embedder.example")])
    expectFailure(.authenticationTopOriginMismatch, step: 14) {
      try open.authenticate { $0.topOrigin = "https://other.example" }
    }
    _ = try open.authenticate {
      $0.crossOrigin = true
      $0.topOrigin = "https://embedder.example"
    }
    _ = try open.authenticate { $0.crossOrigin = true }
    _ = try world.authenticate { $0.crossOrigin = nil }
  }

  @Test func `step 15: the RP ID is ours, or the AppID if requested and used`() throws {
    expectFailure(.authenticationRelyingPartyIDMismatch, step: 15) {
      try world.authenticate { $0.relyingPartyID = "evil.example" }
    }
    let appID = "https://raxx.app/appid.json"
    _ = try world.authenticate(extensions: [.appID(appID)]) {
      $0.relyingPartyID = appID
      $0.clientExtensions = ["appid": true]
    }
    expectFailure(.authenticationRelyingPartyIDMismatch, step: 15) {
      try world.authenticate {
        $0.relyingPartyID = appID
        $0.clientExtensions = ["appid": true]
      }
    }
  }

  @Test func `steps 16 to 18: flags`() throws {
    expectFailure(.authenticationUserNotPresent, step: 16) { try world.authenticate { $0.flags.remove(.userPresent) } }
    expectFailure(.authenticationUserNotVerified, step: 17) {
      try world.authenticate { $0.flags.remove(.userVerified) }
    }
    expectFailure(.authenticationBackupStateInvalid, step: 18) { try world.authenticate { $0.flags.insert(.backedUp) } }
    var lenient = world
    lenient.policy.userVerification = .preferred
    #expect(try !lenient.authenticate { $0.flags.remove(.userVerified) }.flags.contains(.userVerified))
    #expect(try world.authenticate { $0.flags.formUnion([.backupEligible, .backedUp]) }.credential.record.backupState)
    #expect(try world.authenticate { $0.flags.formUnion(.reserved) }.flags.contains(.reserved))
  }

  @Test func `step 19: a changed backup eligibility is reported or refused`() throws {
    let moved = try world.authenticate { $0.flags.insert(.backupEligible) }
    #expect(moved.backup.eligibilityChanged)
    var strict = world
    strict.policy.backupEligibilityChange = .refuse
    expectFailure(.authenticationBackupEligibilityChanged, step: 19) {
      try strict.authenticate { $0.flags.insert(.backupEligible) }
    }
  }

  @Test func `step 21: the signature is valid`() throws {
    let other = try SigningKey.generate(.es256, random: .seeded([3], label: "other"))
    expectFailure(.authenticationSignatureInvalid, step: 21) { try world.authenticate { $0.signingKey = other } }
    expectFailure(.authenticationKeyMalformed, step: 21) {
      try world.authenticate(stored: world.credential { $0.record.publicKey = [0xa0] })
    }
  }

  @Test func `step 22: a counter that does not increase is reported or refused`() throws {
    let counted = try world.authenticate(stored: world.credential { $0.record.signCount = 4 }) { $0.signCount = 5 }
    #expect(counted.counter == .increased(from: 4, to: 5))
    #expect(counted.credential.record.signCount == 5)
    let cloned = try world.authenticate(stored: world.credential { $0.record.signCount = 5 }) { $0.signCount = 5 }
    #expect(cloned.counter == .notIncreased(from: 5, to: 5))
    var strict = world
    strict.policy.signCount = .refuse
    expectFailure(.authenticationSignCountNotGreater, step: 22) {
      try strict.authenticate(stored: world.credential { $0.record.signCount = 5 })
    }
  }

  @Test func `step 22: the trace says that a counter of zero is not used`() throws {
    func title(_ stored: UInt32, _ received: UInt32) throws -> String? {
      let trace = SpecTrace()
      _ = try world.authenticate(stored: world.credential { $0.record.signCount = stored }, trace: trace) {
        $0.signCount = received
      }
      return trace.entries.first { $0.step == 22 }.map { "\($0)" }
    }
    #expect(try title(0, 0) == "22. pass  the signature counter is not used")
    #expect(try title(0, 1) == "22. pass  the signature counter has increased: 1")
    #expect(try title(4, 0) == "22. pass  the policy accepts a signature counter that has not increased: 0")
  }

  @Test func `step 23: outputs of unrequested extensions are ignored or refused`() throws {
    var strict = world
    strict.policy.unrequestedExtensions = .refused
    expectFailure(.authenticationExtensionNotRequested, step: 23) {
      try strict.authenticate { $0.clientExtensions = ["uvm": []] }
    }
    expectFailure(.authenticationExtensionNotRequested, step: 23) {
      try strict.authenticate { $0.extensions = ["hmac-secret": .bytes([1])] }
    }
    _ = try strict.authenticate(extensions: [.uvm]) { $0.clientExtensions = ["uvm": [[2, 4, 2]]] }
    _ = try strict.authenticate { $0.extensions = [:] }
  }
}
