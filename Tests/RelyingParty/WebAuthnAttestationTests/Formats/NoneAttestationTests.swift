// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct NoneAttestationTests {
  @Test func `an empty statement has the type none`() throws {
    let outcome = try CeremonyForm().verify(.none, [:])
    #expect(outcome.type == .none)
    #expect(outcome.certificates.isEmpty)
    #expect(outcome.trust.kind == .none)
  }

  @Test func `a nonempty statement is refused`() throws {
    let ceremony = try CeremonyForm()
    expect(.statementNotEmpty) { try ceremony.verify(.none, ["alg": -7]) }
    expect(.malformedStatement) { try ceremony.verify(.none, .array([])) }
  }

  @Test func `a policy may require more`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.acceptableTrust = [.selfAttestation, .unanchored]
    expect(.noneNotAcceptable) { try ceremony.verify(.none, [:]) }
  }
}
