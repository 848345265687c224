// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// WebAuthn §7.1, in the order of its steps: input that passes each step, and input that fails there.
@Suite struct RegistrationCeremonyTests {
  var world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `steps 1 to 29 pass in order`() throws {
    let trace = SpecTrace()
    let result = try world.register(trace: trace)
    #expect(result.credential.user == world.user)
    #expect(result.credential.record.uvInitialized)
    #expect(result.attestation.type == .none)
    let numbers = trace.entries.map(\.step)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers) == Set(1...29))
    #expect(trace.entries.allSatisfy { $0.outcome == .passed || $0.outcome == .noted })
  }

  @Test func `a ceremony without a trace has the same result`() throws {
    let (silent, told) = (try world.register(), try world.register(trace: SpecTrace()))
    #expect(silent.credential.record.publicKey == told.credential.record.publicKey)
    #expect(silent.flags == told.flags)
  }

  @Test func `steps 5 and 6: the client data are JSON, also after a byte order mark`() throws {
    for text in ["", "{", "[]", "null", "{}", "{\"type\":\"webauthn.create\"}"] {
      expectFailure(.registrationClientDataMalformed, step: 6) { try world.register { $0.clientDataText = text } }
    }
    _ = try world.register { device in
      device.clientDataText = "\u{feff}" + String(decoding: device.clientDataJSON, as: UTF8.self)
    }
  }

  @Test func `step 7: the type is webauthn.create`() {
    expectFailure(.registrationTypeMismatch, step: 7) { try world.register { $0.type = .get } }
  }

  @Test func `step 8: the challenge matches`() throws {
    let other = try Challenge([UInt8](repeating: 9, count: 32))
    expectFailure(.registrationChallengeMismatch, step: 8) { try world.register { $0.challenge = other } }
  }

  @Test(arguments: [
    "https://raxx.app.evil.example", "http://raxx.app", "https://www.raxx.app", "https://raxx.app:8443", "null", "",
    "https://RAXX.app.", "android:apk-key-hash:AAAA",
  ]) func `step 9: the origin is allowed`(origin: String) {
    expectFailure(.registrationOriginMismatch, step: 9) { try world.register { $0.origin = origin } }
  }

  @Test func `step 10: cross-origin frames need the policy's permission`() throws {
    expectFailure(.registrationCrossOriginRefused, step: 10) { try world.register { $0.crossOrigin = true } }
    var open = world
    open.policy.embedding = .allowed(topOrigins: [])
    _ = try open.register { $0.crossOrigin = true }
  }

  @Test func `step 11: the top origin must be allowed`() throws {
    expectFailure(.registrationCrossOriginRefused, step: 11) {
      try world.register { $0.topOrigin = "https://embedder.example" }
    }
    var open = world
    open.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://embedder.example")])
    expectFailure(.registrationTopOriginMismatch, step: 11) {
      try open.register {
        $0.crossOrigin = true
        $0.topOrigin = "https://other.example"
      }
    }
    _ = try open.register {
      $0.crossOrigin = true
      $0.topOrigin = "https://embedder.example"
    }
  }

  @Test func `step 13: the attestation object is complete, and matches the response's id`() {
    expectFailure(.registrationAttestationObjectMalformed, step: 13) {
      try world.register { $0.publicKey = [0xff] }
    }
    expectFailure(.registrationCredentialIDMismatch, step: 13) { try world.register { $0.responseID = [1, 2, 3] } }
    expectFailure(.registrationCredentialDataMissing, step: 13) {
      try world.register {
        $0.corruptAuthenticatorData = { data in
          data.removeSubrange(37...)
          data[32] &= ~AuthenticatorFlags.attestedCredentialData.rawValue
        }
      }
    }
  }

  @Test func `step 14: the RP ID is ours`() {
    expectFailure(.registrationRelyingPartyIDMismatch, step: 14) {
      try world.register { $0.relyingPartyID = "evil.example" }
    }
  }

  @Test func `step 15: user presence is required, except in a conditional registration`() throws {
    expectFailure(.registrationUserNotPresent, step: 15) { try world.register { $0.flags.remove(.userPresent) } }
    _ = try world.register(mediation: .conditional) { $0.flags.remove(.userPresent) }
  }

  @Test func `step 16: user verification is required if requested`() throws {
    expectFailure(.registrationUserNotVerified, step: 16) { try world.register { $0.flags.remove(.userVerified) } }
    var lenient = world
    lenient.policy.userVerification = .preferred
    #expect(try !lenient.register { $0.flags.remove(.userVerified) }.credential.record.uvInitialized)
  }

  @Test func `step 17: a backed-up credential is eligible for backup`() throws {
    expectFailure(.registrationBackupStateInvalid, step: 17) { try world.register { $0.flags.insert(.backedUp) } }
    let synced = try world.register { $0.flags.formUnion([.backupEligible, .backedUp]) }
    #expect(synced.credential.record.backupEligible)
    #expect(synced.credential.record.backupState)
  }

  @Test func `step 20: the algorithm was requested, and the key is valid`() throws {
    var narrow = world
    narrow.policy.algorithms = [.eddsa]
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) { try narrow.register() }
    let compressed: CBORTree = [1: 2, 3: -7, -1: 1, -2: .bytes([UInt8](repeating: 1, count: 32)), -3: true]
    expectFailure(.registrationKeyMalformed, step: 20) {
      try world.register { $0.publicKey = CBORWriter.bytes(of: compressed) }
    }
    // Without attestation no signature with the key is checked, so this key could never sign in.
    let off: CBORTree = [
      1: 2, 3: -7, -1: 1, -2: .bytes([UInt8](repeating: 1, count: 32)), -3: .bytes([UInt8](repeating: 1, count: 32)),
    ]
    expectFailure(.registrationKeyMalformed, step: 20) {
      try world.register { $0.publicKey = CBORWriter.bytes(of: off) }
    }
  }

  @Test func `step 21: the format must be known exactly`() {
    expectFailure(.registrationFormatUnknown, step: 21) { try world.register { $0.format = "None" } }
  }

  @Test func `step 22: the attestation statement is valid`() {
    expectFailure(.registrationAttestationInvalid, step: 22) { try world.register { $0.statement = ["x": 1] } }
    expectFailure(.registrationAttestationInvalid, step: 22) {
      try world.register {
        $0.format = "packed"
        $0.statement = ["alg": -7, "sig": .bytes([0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01])]
      }
    }
  }

  @Test func `step 24: the attestation must be acceptable`() {
    var strict = world
    strict.policy.attestation.acceptableTrust = .anchored
    expectFailure(.registrationAttestationNotAcceptable, step: 24) { try strict.register() }
  }

  @Test func `step 24: each member of a compound statement must be what the options demanded`() throws {
    var strict = world
    strict.policy.attestation.acceptableTrust = .selfAttestation
    let begun = try strict.relyingParty().beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"), at: CeremonyWorld.now, random: world.random)
    var device = try TestDevice(challenge: begun.pending.challenge)
    let signed = device.authenticatorData(attested: true) + Digest.sha256(device.clientDataJSON[...])
    let own: CBORTree = [
      "fmt": "packed", "attStmt": ["alg": -7, "sig": .bytes(try device.key.sign(signed[...], .deterministic))],
    ]
    device.format = "compound"
    // The configuration became less strict since the ceremony began.
    var lenient = world
    lenient.policy.attestation.acceptableTrust = .anything
    device.statement = [own, own]
    _ = try lenient.relyingParty().finishRegistration(
      device.registration(), pending: begun.pending.duplicateForTesting(), existing: .notFound, at: CeremonyWorld.now)
    device.statement = [own, ["fmt": "none", "attStmt": [:]]]
    expectFailure(.registrationAttestationNotAcceptable, step: 24) {
      try lenient.relyingParty().finishRegistration(
        device.registration(), pending: begun.pending.duplicateForTesting(), existing: .notFound, at: CeremonyWorld.now)
    }
  }

  @Test func `step 25: ids have at most 1023 bytes`() throws {
    for count in [1, 1023] {
      let id = [UInt8](repeating: 7, count: count)
      #expect(try world.register { $0.credentialID = id }.credential.record.id.bytes == id)
    }
    // A response cannot name such an ID, so step 13 detects a mismatch.
    for count in [0, 1024, 65535] {
      expectFailure(.registrationCredentialIDMismatch, step: 13) {
        try world.register {
          $0.credentialID = [UInt8](repeating: 7, count: count)
          $0.responseID = [UInt8](repeating: 7, count: 1023)
        }
      }
      #expect(throws: FormatError.self) { try CredentialID([UInt8](repeating: 7, count: count)[...]) }
    }
  }

  @Test func `step 25: the policy may lower the limit, but not raise it`() throws {
    var strict = world
    strict.policy.maximumCredentialIDByteCount = 64
    _ = try strict.register { $0.credentialID = [UInt8](repeating: 7, count: 64) }
    expectFailure(.registrationCredentialIDTooLong, step: 25) {
      try strict.register { $0.credentialID = [UInt8](repeating: 7, count: 65) }
    }
    strict.policy.maximumCredentialIDByteCount = 4096
    _ = try strict.register { $0.credentialID = [UInt8](repeating: 7, count: 1023) }
  }

  @Test func `step 26: the credential id is not registered`() throws {
    let known = try world.credential()
    expectFailure(.registrationCredentialIDKnown, step: 26) { try world.register(existing: .found(known)) }
    let other = try UserHandle([UInt8]("user-2".utf8))
    for (owner, user) in [("the same user", world.user), ("another user", other)] {
      let error = #expect(throws: CeremonyError.self) {
        try world.register(existing: CredentialLookup(StoredCredential(user: user, record: known.record)))
      }
      #expect(error?.comparison?.received == "an id registered by \(owner)")
    }
    #expect(try world.register(existing: CredentialLookup(nil)).credential.user == world.user)
  }

  @Test func `step 28: outputs of unrequested extensions are ignored or refused`() throws {
    _ = try world.register { $0.clientExtensions = ["credProps": ["rk": true]] }
    var strict = world
    strict.policy.unrequestedExtensions = .refused
    expectFailure(.registrationExtensionNotRequested, step: 28) {
      try strict.register { $0.clientExtensions = ["credProps": ["rk": true]] }
    }
    expectFailure(.registrationExtensionNotRequested, step: 28) {
      try strict.register { $0.extensions = ["credProtect": 2] }
    }
    expectFailure(.registrationExtensionNotRequested, step: 28) {
      try strict.register(extensions: [.other("credProtect", 2)]) { $0.extensions = [1: 2] }
    }
    _ = try strict.register(extensions: [.prf()]) { $0.extensions = ["hmac-secret": true] }
    _ = try strict.register(extensions: [.credentialProtection(.userVerificationRequired, enforce: false)]) {
      $0.extensions = ["credProtect": 3]
    }
    _ = try strict.register(extensions: [.credProps]) { $0.clientExtensions = ["credProps": ["rk": true]] }
  }
}
