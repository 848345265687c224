// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct TrustByMetadataTests {
  private static func verify(
    _ ceremony: CeremonyForm, _ entries: String..., firmwareVersion: Int64? = nil
  ) throws -> AttestationOutcome {
    var metadata = try MetadataForm()
    metadata.entries = entries
    var ceremony = ceremony
    ceremony.policy.trustAnchors = TrustAnchors(metadata: try metadata.verify())
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key) {
      guard let firmwareVersion else { return }
      $0.extensions.append(
        CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]) { $0.writeInteger(firmwareVersion) })
    }
    let signature = try key.sign(ceremony.signedBytes[...])
    return try ceremony.verify(.packed, ["alg": -7, "sig": .bytes(signature), "x5c": [.bytes(certificate)]])
  }

  private static func entry(
    _ ceremony: CeremonyForm, types: String = "basic_full", _ report: String = certified, root: X509Certificate? = nil
  ) -> String {
    MetadataForm.entry(roots: [[UInt8]((root ?? ceremony.root.certificate).der)], types: types, report)
  }

  private static let certified = MetadataForm.report("FIDO_CERTIFIED_L1", "2024-01-01")

  @Test func `a model's own roots anchor it`() throws {
    let ceremony = try CeremonyForm()
    let outcome = try Self.verify(ceremony, Self.entry(ceremony))
    #expect(outcome.trust.kind == .anchored)
    #expect(outcome.type == .basic)
    #expect(outcome.metadata?.statement?.description == "A key")
  }

  @Test func `metadata recognize an authority's attestation`() throws {
    let ceremony = try CeremonyForm()
    #expect(try Self.verify(ceremony, Self.entry(ceremony, types: "attca")).type == .attestationCA)
  }

  @Test func `only an entry for an authority's attestation alone says so`() throws {
    var ceremony = try CeremonyForm()
    #expect(try Self.verify(ceremony, Self.entry(ceremony, types: #"attca","basic_full"#)).type == .basic)
    // Another anchor than the entry's.
    let key = try TestKey.make("batch")
    ceremony.policy.trustAnchors = TrustAnchors(
      byAAGUID: [try #require(AAGUID(ceremony.aaguid)): [ceremony.root.certificate]],
      metadata: try MetadataForm(Self.entry(ceremony, types: "anonca")).verify())
    let outcome = try ceremony.verify(
      .packed,
      [
        "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])),
        "x5c": [.bytes(try ceremony.certificate(of: key))],
      ])
    #expect(outcome.trust.kind == .anchored && outcome.type == .basic)
  }

  @Test func `the roots of another model anchor nothing`() throws {
    var ceremony = try CeremonyForm()
    let entry = Self.entry(ceremony)
    ceremony.aaguid = [UInt8](repeating: 3, count: 16)
    let outcome = try Self.verify(ceremony, entry)
    #expect("\(outcome.trust)" == "unanchored: not listed in the metadata")
    #expect(outcome.metadata == nil)
  }

  @Test(arguments: [
    "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE",
    "USER_KEY_PHYSICAL_COMPROMISE", "REVOKED",
  ])
  func `a compromised model is refused from the report's date on`(_ status: String) throws {
    var ceremony = try CeremonyForm()
    let entry = Self.entry(ceremony, MetadataForm.report(status, "2030-01-01"))
    expect(.authenticatorStatus, "\(status), since 2030-01-01") { try Self.verify(ceremony, entry) }
    ceremony.time = Moment.y2030 - .seconds(1)
    #expect(try Self.verify(ceremony, entry).trust.kind == .anchored)
    ceremony.time = Moment.y2030
    ceremony.policy.refusedStatuses = []
    #expect(try Self.verify(ceremony, entry).trust.kind == .anchored)
  }

  @Test func `a report about a root refuses what it anchors, even if statements omit it`() throws {
    let ceremony = try CeremonyForm()
    func entry(_ certificate: X509Certificate) -> String {
      let member = ",\"certificate\":\"\(Base64.encode([UInt8](certificate.der)))\""
      return Self.entry(ceremony, MetadataForm.report("ATTESTATION_KEY_COMPROMISE", "2024-05-01", member))
    }
    expect(.authenticatorStatus, "ATTESTATION_KEY_COMPROMISE") {
      try Self.verify(ceremony, entry(ceremony.root.certificate))
    }
    let other = try TestAuthority.root("Other").certificate
    #expect(try Self.verify(ceremony, entry(other)).trust.kind == .anchored)
  }

  @Test func `corrected firmware is accepted`() throws {
    let ceremony = try CeremonyForm()
    let reports =
      MetadataForm.report("USER_VERIFICATION_BYPASS", "2024-05-01") + ","
      + MetadataForm.report("UPDATE_AVAILABLE", "2024-06-01", ",\"authenticatorVersion\":5")
    #expect(try Self.verify(ceremony, Self.entry(ceremony, reports), firmwareVersion: 5).trust.kind == .anchored)
    expect(.authenticatorStatus) { try Self.verify(ceremony, Self.entry(ceremony, reports), firmwareVersion: 4) }
    expect(.authenticatorStatus) { try Self.verify(ceremony, Self.entry(ceremony, reports)) }
    // Anyone can make a certificate that claims the corrected version.
    let other = try TestAuthority.root("Other").certificate
    expect(.authenticatorStatus) {
      try Self.verify(ceremony, Self.entry(ceremony, reports, root: other), firmwareVersion: 5)
    }
  }

  @Test func `new firmware does not correct a compromised attestation key`() throws {
    let ceremony = try CeremonyForm()
    let reports =
      MetadataForm.report("ATTESTATION_KEY_COMPROMISE", "2024-05-01") + ","
      + MetadataForm.report("UPDATE_AVAILABLE", "2024-06-01", ",\"authenticatorVersion\":5")
    expect(.authenticatorStatus) { try Self.verify(ceremony, Self.entry(ceremony, reports), firmwareVersion: 5) }
  }

  @Test func `a claim to be a compromised model is believed without proof`() throws {
    var ceremony = try CeremonyForm()
    var metadata = try MetadataForm(Self.entry(ceremony, MetadataForm.report("REVOKED")))
    metadata.number = "8"
    ceremony.policy.trustAnchors = TrustAnchors(metadata: try metadata.verify())
    expect(.authenticatorStatus, "REVOKED") { try ceremony.verify(.none, [:]) }
    ceremony.policy.compound = .any
    let none: CBORTree = ["fmt": "none", "attStmt": [:]]
    expect(.authenticatorStatus) { try ceremony.verify(.compound, [none, none]) }
  }

  @Test(arguments: [
    #""metadataStatement":{"attestationRootCertificates":"none"}"#, #""attestationCertificateKeyIdentifiers":["xy"]"#,
    #""statusReports":[{"status":7},REPORT]"#,
  ])
  func `an entry that cannot be read counts against its model, which no other anchor vouches for`(
    _ damage: String
  ) throws {
    var ceremony = try CeremonyForm()
    func anchors(_ report: String) throws -> TrustAnchors {
      let member = damage.contains("REPORT") ? "" : ",\"statusReports\":[\(report)]"
      let entry = "{\(MetadataForm.aaguid),\(damage.replacing("REPORT", with: report))\(member)}"
      return TrustAnchors(metadata: try MetadataForm(entry).verify(), forEverything: [ceremony.root.certificate])
    }
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key)
    let statement: CBORTree = [
      "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)],
    ]
    ceremony.policy.trustAnchors = try anchors(MetadataForm.report("REVOKED", "2024-01-01"))
    #expect(ceremony.policy.trustAnchors.metadata?.refusedEntries.first?.aaguid == AAGUID(ceremony.aaguid))
    expect(.authenticatorStatus, "REVOKED") { try ceremony.verify(.packed, statement) }
    ceremony.policy.trustAnchors = try anchors(Self.certified)
    let outcome = try ceremony.verify(.packed, statement)
    #expect("\(outcome.trust)" == "unanchored: the metadata know the model, but its entry cannot be read")
    #expect(outcome.metadata == nil)
    // Anchors for the model itself are the relying party's own decision.
    ceremony.policy.trustAnchors = TrustAnchors(
      byAAGUID: [try #require(AAGUID(ceremony.aaguid)): [ceremony.root.certificate]],
      metadata: ceremony.policy.trustAnchors.metadata)
    #expect(try ceremony.verify(.packed, statement).trust.kind == .anchored)
  }

  @Test func `the reports of every entry about a model count`() throws {
    let ceremony = try CeremonyForm()
    expect(.authenticatorStatus, "REVOKED") {
      try Self.verify(
        ceremony, Self.entry(ceremony), Self.entry(ceremony, MetadataForm.report("REVOKED", "2024-01-01")))
    }
    #expect(try Self.verify(ceremony, Self.entry(ceremony), Self.entry(ceremony)).trust.kind == .anchored)
  }

  @Test func `a shared root without a named model proves no model`() throws {
    let ceremony = try CeremonyForm()
    let other = MetadataForm.entry(
      #""aaguid":"20202020-2020-2020-2020-202020202020""#, roots: [[UInt8](ceremony.root.certificate.der)],
      Self.certified)
    var shared = ceremony
    shared.policy.trustAnchors = TrustAnchors(metadata: try MetadataForm(Self.entry(ceremony), other).verify())
    func verify(namesModel: Bool) throws -> AttestationOutcome {
      let key = try TestKey.make("batch")
      let certificate = try shared.certificate(of: key) {
        guard namesModel else { return }
        $0.extensions.append(
          CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]) { $0.writeOctetString(shared.aaguid[...]) })
      }
      let signature = try key.sign(shared.signedBytes[...])
      return try shared.verify(.packed, ["alg": -7, "sig": .bytes(signature), "x5c": [.bytes(certificate)]])
    }
    let unnamed = try verify(namesModel: false)
    #expect(unnamed.trust.kind == .anchored && unnamed.metadata == nil)
    #expect(
      unnamed.provenClaims.vouched == [
        .publicKey, .credentialID, .relyingPartyID, .flags, .signCount, .extensions, .clientData,
      ])
    #expect(try verify(namesModel: true).metadata != nil)
    #expect(try verify(namesModel: true).provenClaims.vouched.contains(.aaguid))
    shared.policy.models.allowed = [try #require(AAGUID(shared.aaguid))]
    #expect(try verify(namesModel: true).trust.kind == .anchored)
    expect(.modelUnproven) { try verify(namesModel: false) }
    // A root of one model vouches for it without the name.
    #expect(try Self.verify(ceremony, Self.entry(ceremony)).provenClaims.vouched.contains(.aaguid))
  }

  /// Registers with an unnamed certificate below the ceremony's root, and metadata with these entries.
  private static func verifyUnnamed(
    _ ceremony: CeremonyForm, _ entries: [String], everything: Bool = false
  ) throws -> AttestationOutcome {
    var metadata = try MetadataForm()
    metadata.entries = entries
    var ceremony = ceremony
    ceremony.policy.trustAnchors = TrustAnchors(
      metadata: try metadata.verify(), forEverything: everything ? [ceremony.root.certificate] : nil)
    ceremony.policy.models.allowed = [try #require(AAGUID(ceremony.aaguid))]
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key)
    let signature = try key.sign(ceremony.signedBytes[...])
    return try ceremony.verify(.packed, ["alg": -7, "sig": .bytes(signature), "x5c": [.bytes(certificate)]])
  }

  private static let another = #""aaguid":"20202020-2020-2020-2020-202020202020""#

  @Test func `an entry that cannot be read shares its root too`() throws {
    let ceremony = try CeremonyForm()
    let root = Base64.encode([UInt8](ceremony.root.certificate.der))
    let damaged = """
      {\(Self.another),"metadataStatement":{"attestationRootCertificates":["\(root)"]},"statusReports":[{"status":7}]}
      """
    #expect(try Self.verifyUnnamed(ceremony, [Self.entry(ceremony)]).provenClaims.vouched.contains(.aaguid))
    expect(.modelUnproven) { try Self.verifyUnnamed(ceremony, [Self.entry(ceremony), damaged]) }
  }

  @Test func `the root of another model proves no unlisted model, even if it is trusted for everything`() throws {
    let ceremony = try CeremonyForm()
    let other = MetadataForm.entry(
      Self.another, roots: [[UInt8](ceremony.root.certificate.der)], MetadataForm.report("REVOKED", "2024-01-01"))
    expect(.modelUnproven) { try Self.verifyUnnamed(ceremony, [other], everything: true) }
  }

  @Test func `a report about a compromised key counts for any model that the key claims`() throws {
    let ceremony = try CeremonyForm()
    let certificate = try ceremony.certificate(of: TestKey.make("batch"))
    let report = MetadataForm.report(
      "ATTESTATION_KEY_COMPROMISE", "2024-01-01", ",\"certificate\":\"\(Base64.encode(certificate))\"")
    expect(.authenticatorStatus, "ATTESTATION_KEY_COMPROMISE") {
      try Self.verify(ceremony, Self.entry(ceremony), MetadataForm.entry(Self.another, report))
    }
  }

  @Test func `a report with another status about a key of another model does not count`() throws {
    let ceremony = try CeremonyForm()
    let certificate = try ceremony.certificate(of: TestKey.make("batch"))
    let report = MetadataForm.report(
      "REVOKED", "2024-01-01", ",\"certificate\":\"\(Base64.encode(certificate))\"")
    let outcome = try Self.verify(ceremony, Self.entry(ceremony), MetadataForm.entry(Self.another, report))
    #expect(outcome.trust.kind == .anchored)
  }

  @Test func `the AAGUID zero names no model`() throws {
    var ceremony = try CeremonyForm()
    ceremony.aaguid = [UInt8](repeating: 0, count: 16)
    let entry = MetadataForm.entry(
      "\"aaguid\":\"00000000-0000-0000-0000-000000000000\"", roots: [[UInt8](ceremony.root.certificate.der)],
      Self.certified)
    let outcome = try Self.verify(ceremony, entry)
    #expect("\(outcome.trust)" == "unanchored: not listed in the metadata")
    #expect(outcome.metadata == nil)
  }

  @Test func `the entry of a model is reported if it does not anchor the format`() throws {
    let ceremony = try CeremonyForm()
    let outcome = try Self.verify(ceremony, Self.entry(ceremony, types: "anonca"))
    guard case .unanchored(.formatNotInMetadata) = outcome.trust else {
      Issue.record("\(outcome.trust)")
      return
    }
    #expect(outcome.metadata?.statement?.description == "A key")
  }

  @Test func `a model that does not use packed attestation shares no root`() throws {
    let ceremony = try CeremonyForm()
    let other = MetadataForm.entry(
      Self.another, roots: [[UInt8](ceremony.root.certificate.der)], types: "anonca", Self.certified)
    let outcome = try Self.verifyUnnamed(ceremony, [Self.entry(ceremony), other])
    #expect(outcome.provenClaims.vouched.contains(.aaguid))
  }

  @Test func `an AAGUID in the statement names a model whose entry is damaged`() throws {
    let ceremony = try CeremonyForm()
    let damaged = """
      {"aaguid":"000102030405","metadataStatement":{\(MetadataForm.aaguid)},\
      "statusReports":[\(MetadataForm.report("REVOKED"))]}
      """
    expect(.authenticatorStatus, "REVOKED") { try Self.verifyUnnamed(ceremony, [damaged], everything: true) }
  }

  @Test func `a report whose certificate cannot be read applies to the whole model`() throws {
    let ceremony = try CeremonyForm()
    expect(.authenticatorStatus, "REVOKED") {
      try Self.verify(ceremony, Self.entry(ceremony, MetadataForm.report("REVOKED", nil, ",\"certificate\":7")))
    }
  }
}
