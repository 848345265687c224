// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
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

  @Test func `of two anchored members, the one whose model is known decides, in any order`() throws {
    var ceremony = try CeremonyForm()
    // Two models share the root. Only a certificate that names its model proves which one it is for.
    let roots = [[UInt8](ceremony.root.certificate.der)]
    let another = "\"aaguid\":\"00000000-0000-0000-0000-000000000001\""
    let metadata = try MetadataForm(MetadataForm.entry(roots: roots), MetadataForm.entry(another, roots: roots))
    ceremony.policy.trustAnchors = TrustAnchors(metadata: try metadata.verify())
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key) {
      $0.extensions.append(
        CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]) { $0.writeOctetString(ceremony.aaguid[...]) })
    }
    let named = Self.member(
      "packed",
      ["alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)]])
    let unnamed = try Self.batchMember(ceremony)
    for members in [[named, unnamed], [unnamed, named]] {
      let outcome = try ceremony.verify(.compound, .array(members))
      #expect(outcome.members.map(\.trust.kind) == [.anchored, .anchored])
      #expect(outcome.metadata != nil)
    }
    #expect(try ceremony.verify(.compound, .array([unnamed, unnamed])).metadata == nil)
  }

  @Test func `the stronger of two members decides, in any order`() throws {
    let ceremony = try CeremonyForm()
    var foreign = ceremony
    foreign.root = try TestAuthority.root("Other")
    // From the weakest to the strongest.
    let members = [
      Self.member("none", [:]), try Self.selfMember(ceremony), try Self.batchMember(foreign),
      try Self.batchMember(ceremony),
    ]
    let kinds: [AttestationOutcome.Trust.Kind] = [.none, .self, .unanchored, .anchored]
    for weaker in members.indices {
      for stronger in members.indices where stronger > weaker {
        for pair in [[members[weaker], members[stronger]], [members[stronger], members[weaker]]] {
          #expect(try ceremony.verify(.compound, .array(pair)).trust.kind == kinds[stronger])
        }
      }
    }
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
