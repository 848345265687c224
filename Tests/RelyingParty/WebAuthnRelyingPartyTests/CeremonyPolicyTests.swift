// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// The lenient defaults, and the refusals of the strict policy.
@Suite struct CeremonyPolicyTests {
  private let lenient: CeremonyWorld
  private let strict: CeremonyWorld

  init() throws {
    lenient = try CeremonyWorld()
    var world = lenient
    world.policy = .strict
    strict = world
  }

  @Test func `the strict policy accepts regular ceremonies`() throws {
    let stored = try strict.register().credential
    #expect(try strict.authenticate(stored: stored).userVerification == .factor)
  }

  @Test func `the default policy reports and stores a decreased counter, and the strict one refuses`() throws {
    let stored = try lenient.credential { $0.record.signCount = 5 }
    let result = try lenient.authenticate(stored: stored) { $0.signCount = 4 }
    #expect(result.counter == .notIncreased(from: 5, to: 4))
    #expect(result.credential.record.signCount == 4)
    expectFailure(.authenticationSignCountNotGreater, step: 22) {
      try strict.authenticate(stored: stored) { $0.signCount = 4 }
    }
    // A synchronized passkey has no counter: zero after zero is not a clone signal.
    _ = try strict.authenticate()
  }

  @Test func `the default policy reports a changed backup eligibility, and the strict one refuses`() throws {
    let change = { (device: inout TestDevice) in _ = device.flags.insert(.backupEligible) }
    #expect(try lenient.authenticate(change).backup.eligibilityChanged)
    expectFailure(.authenticationBackupEligibilityChanged, step: 19) { try strict.authenticate(change) }
  }

  @Test func `the default policy ignores unrequested extension outputs, and the strict one refuses`() throws {
    let add = { (device: inout TestDevice) in device.extensions = ["credProtect": 2] }
    _ = try lenient.register(add)
    _ = try lenient.authenticate(add)
    expectFailure(.registrationExtensionNotRequested, step: 28) { try strict.register(add) }
    expectFailure(.authenticationExtensionNotRequested, step: 23) { try strict.authenticate(add) }
  }

  @Test func `the default policy accepts no attestation, and the strict one with attestation refuses`() throws {
    #expect(try lenient.register().attestation.type == .none)
    #expect(try strict.register().attestation.type == .none)
    var attested = lenient
    var attestation = AttestationPolicy()
    attestation.acceptableTrust = .anything
    attested.policy = .strict(attestation: attestation)
    expectFailure(.registrationAttestationNotAcceptable, step: 24) { try attested.register() }
    #expect(attested.policy.attestationConveyance == .direct)
  }

  @Test func `the policy for FIDO's tests refuses a malformed tokenBinding, and the default one ignores it`() throws {
    var conformant = lenient
    conformant.policy = .fidoConformance(attestation: AttestationPolicy())
    for (binding, isWellFormed) in [
      (#"{"status":"supported"}"#, true), (#"{"status":"present","id":"AAAA"}"#, true), (#""supported""#, false),
      ("null", false), ("{}", false), (#"{"status":"present"}"#, false), (#"{"status":"offered"}"#, false),
    ] {
      let add = { (device: inout TestDevice) in
        let plain = String(decoding: device.clientDataJSON, as: UTF8.self)
        device.clientDataText = String(plain.dropLast()) + #","tokenBinding":\#(binding)}"#
      }
      _ = try lenient.register(add)
      _ = try lenient.authenticate(add)
      if isWellFormed {
        _ = try conformant.register(add)
        _ = try conformant.authenticate(add)
      } else {
        expectFailure(.registrationClientDataMalformed, step: 6) { try conformant.register(add) }
        expectFailure(.authenticationClientDataMalformed, step: 9) { try conformant.authenticate(add) }
      }
    }
  }

  @Test func `the policy for FIDO's tests requires an increased counter`() throws {
    var conformant = lenient
    conformant.policy = .fidoConformance(attestation: AttestationPolicy())
    let stored = try lenient.credential { $0.record.signCount = 5 }
    expectFailure(.authenticationSignCountNotGreater, step: 22) {
      try conformant.authenticate(stored: stored) { $0.signCount = 5 }
    }
    _ = try conformant.authenticate(stored: stored) { $0.signCount = 6 }
  }
}
