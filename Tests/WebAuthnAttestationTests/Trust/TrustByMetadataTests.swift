// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes
import WireFormats

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
    _ ceremony: CeremonyForm, types: String = "basic_full", _ report: String = certified, root: Certificate? = nil
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
    func entry(_ certificate: Certificate) -> String {
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
}
