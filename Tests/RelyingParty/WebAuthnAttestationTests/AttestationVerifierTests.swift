// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct AttestationVerifierTests {
  @Test func `an unknown format is refused under every policy`() throws {
    let ceremony = try CeremonyForm()
    expect(.unsupportedFormat, "packed2") { try ceremony.verify(AttestationFormat(rawValue: "packed2"), [:]) }
    expect(.unsupportedFormat, "Packed") { try ceremony.verify(AttestationFormat(rawValue: "Packed"), [:]) }
  }

  @Test(arguments: AttestationVerifier.formats)
  func `each listed format can be verified`(_ format: AttestationFormat) throws {
    let ceremony = try CeremonyForm()
    // Only one format accepts an empty map. Each of the others has its own error.
    guard format != .none else { return #expect(try ceremony.verify(format, [:]).type == .none) }
    expect(.malformedStatement) { try ceremony.verify(format, [:]) }
  }

  @Test func `a policy may accept some formats only`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.acceptableFormats = [.packed]
    expect(.formatNotAcceptable, "none") { try ceremony.verify(.none, [:]) }
  }

  @Test func `a response without a credential is refused`() throws {
    var ceremony = try CeremonyForm()
    ceremony.flags = 0x01
    expect(.missingCredential) { try ceremony.verify(.none, [:]) }
    ceremony.flags = 0x41
    ceremony.clientDataHash = []
    expect(.invalidClientDataHash, "0 bytes") { try ceremony.verify(.none, [:]) }
  }

  @Test func `every code belongs to this module`() {
    for code in AttestationError.Code.allCases {
      #expect(code.rawValue.hasPrefix("attestation.") || code.rawValue.hasPrefix("metadata."))
    }
  }

  @Test func `corrupt statements of every format are refused or keep their meaning, and never trap`() throws {
    let good = RegistrationCase.all.filter(\.isAccepted)
    try PropertyRuns.check(default: 2_000) { generator in
      guard var registration = good.randomElement(using: &generator) else { return }
      registration.attestationObject = Mutation.mutated(registration.attestationObject, using: &generator)
      guard let outcome = try? registration.verify(registration.policy) else { return }
      // Data outside the signature may be changed: member names and candidate certificates for a path.
      guard outcome.type.rawValue == registration.type || outcome.type == .none || outcome.type == .self else {
        throw Upgraded(from: registration.type, to: outcome.type)
      }
    }
  }

  struct Upgraded: Error {
    let from: String?
    let to: AttestationOutcome.Kind
  }
}
