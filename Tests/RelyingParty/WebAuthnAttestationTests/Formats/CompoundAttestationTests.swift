// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct CompoundAttestationTests {
  private static func member(_ format: String, _ statement: CBORTree) -> CBORTree {
    ["fmt": .text(format), "attStmt": statement]
  }

  private static func selfMember(_ ceremony: CeremonyForm, corrupted: Bool = false) throws -> CBORTree {
    let message = corrupted ? [] : ceremony.signedBytes
    return member("packed", ["alg": -7, "sig": .bytes(try ceremony.key.sign(message[...]))])
  }

  private static func batchMember(_ ceremony: CeremonyForm) throws -> CBORTree {
    let key = try TestKey.make("batch")
    return member(
      "packed",
      [
        "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])),
        "x5c": [.bytes(try ceremony.certificate(of: key))],
      ])
  }

  @Test func `each member is verified, and the strongest one decides`() throws {
    let ceremony = try CeremonyForm()
    let outcome = try ceremony.verify(
      .compound, .array([Self.selfMember(ceremony), Self.batchMember(ceremony), Self.member("none", [:])]))
    #expect(outcome.format == .compound)
    #expect(outcome.type == .basic)
    #expect(outcome.trust.kind == .anchored)
    #expect(outcome.members.map(\.trust.kind) == [.self, .anchored, .none])
    #expect(outcome.members.map(\.format) == [.packed, .packed, .none])
    #expect(outcome.refusedMembers.isEmpty)
  }

  @Test func `one failing member fails the statement if the policy requires all`() throws {
    var ceremony = try CeremonyForm()
    let statement = CBORTree.array([try Self.selfMember(ceremony, corrupted: true), try Self.batchMember(ceremony)])
    expect(.invalidSignature) { try ceremony.verify(.compound, statement) }
    ceremony.policy.compound = .any
    let outcome = try ceremony.verify(.compound, statement)
    #expect(outcome.members.count == 1)
    #expect(outcome.refusedMembers.map(\.code) == [.invalidSignature])
  }

  @Test func `without a valid member every policy refuses`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.compound = .any
    let corrupted = try Self.selfMember(ceremony, corrupted: true)
    expect(.compoundNoneHolds, "attestation.unsupported-format: no-such") {
      try ceremony.verify(.compound, .array([corrupted, Self.member("no-such", [:])]))
    }
  }

  @Test func `members follow the policy for their format`() throws {
    var ceremony = try CeremonyForm()
    let statement = CBORTree.array([try Self.selfMember(ceremony), try Self.batchMember(ceremony)])
    ceremony.policy.acceptableTrust = .anchored
    expect(.selfNotAcceptable) { try ceremony.verify(.compound, statement) }
    ceremony.policy.compound = .any
    #expect(try ceremony.verify(.compound, statement).refusedMembers.map(\.code) == [.selfNotAcceptable])
    ceremony.policy.acceptableFormats = [.packed]
    expect(.formatNotAcceptable, "compound") { try ceremony.verify(.compound, statement) }
  }

  @Test func `a compound statement with one, nine or compound members is refused`() throws {
    let ceremony = try CeremonyForm()
    let none = Self.member("none", [:])
    for count in [0, 1, 9] {
      expect(.compoundMemberCount, "\(count) members") {
        try ceremony.verify(.compound, .array([CBORTree](repeating: none, count: count)))
      }
    }
    #expect(try ceremony.verify(.compound, .array([CBORTree](repeating: none, count: 8))).members.count == 8)
    expect(.compoundNested) {
      try ceremony.verify(.compound, [none, Self.member("compound", [none, none])])
    }
    expect(.malformedStatement) { try ceremony.verify(.compound, [:]) }
    expect(.malformedStatement, "fmt") { try ceremony.verify(.compound, [none, ["attStmt": [:]]]) }
    expect(.malformedStatement, "attStmt") { try ceremony.verify(.compound, [none, ["fmt": "none"]]) }
  }
}
