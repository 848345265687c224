// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct ModelRequirementsTests {
  private static let model = AAGUID([UInt8](0..<16))

  /// Registers with metadata about the model, with these reports and key protections.
  private static func verify(
    _ reports: [String], protection: [String] = ["hardware", "tee"], anchored: Bool = true, known: Bool = true,
    firmwareVersion: Int64? = nil, _ require: (inout AttestationPolicy.ModelRequirements) throws -> Void
  ) throws -> AttestationOutcome {
    var ceremony = try CeremonyForm()
    let root = anchored ? ceremony.root : try TestAuthority.root("Other")
    let protection = protection.map { "\"\($0)\"" }.joined(separator: ",")
    let entry =
      MetadataForm.entry(roots: [[UInt8](root.certificate.der)], reports.joined(separator: ","))
      .replacing("\"description\"", with: "\"keyProtection\":[\(protection)],\"description\"")
    if known { ceremony.policy.trustAnchors = TrustAnchors(metadata: try MetadataForm(entry).verify()) }
    try require(&ceremony.policy.models)
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key) {
      guard let firmwareVersion else { return }
      $0.extensions.append(
        CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]) { $0.writeInteger(firmwareVersion) })
    }
    let signature = try key.sign(ceremony.signedBytes[...])
    return try ceremony.verify(.packed, ["alg": -7, "sig": .bytes(signature), "x5c": [.bytes(certificate)]])
  }

  private static func report(_ status: String, _ more: String = "") -> String {
    MetadataForm.report(status, "2024-01-01", more)
  }

  @Test func `a denied model is refused by its own claim`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.models.denied = [try #require(Self.model)]
    expect(.modelDenied, "00010203-0405-0607-0809-0a0b0c0d0e0f") { try ceremony.verify(.none, [:]) }
    ceremony.policy.models.denied = [.zero]
    #expect(try ceremony.verify(.none, [:]).trust.kind == .none)
  }

  @Test func `an allowed model must be proven`() throws {
    let model = try #require(Self.model)
    #expect(try Self.verify([]) { $0.allowed = [model] }.trust.kind == .anchored)
    expect(.modelUnproven, "received unanchored") { try Self.verify([], anchored: false) { $0.allowed = [model] } }
    var ceremony = try CeremonyForm()
    ceremony.policy.models.allowed = [model]
    expect(.modelUnproven, "received none") { try ceremony.verify(.none, [:]) }
  }

  @Test func `a model that is not allowed is refused`() {
    expect(.modelNotAllowed, "expected one of 1 allowed models, received 00010203-0405-0607-0809-0a0b0c0d0e0f") {
      try Self.verify([]) { $0.allowed = [.zero] }
    }
  }

  @Test func `a requirement on metadata needs metadata`() {
    expect(.modelUnknown, "expected metadata about 00010203-0405-0607-0809-0a0b0c0d0e0f, received none") {
      try Self.verify([], known: false) { $0.certificationLevel = .level1 }
    }
  }

  @Test func `a model must have one of the required statuses`() throws {
    let reports = [Self.report("FIDO_CERTIFIED_L1")]
    _ = try Self.verify(reports) { $0.statuses = [.fidoCertified, AuthenticatorStatus(rawValue: "FIDO_CERTIFIED_L1")] }
    expect(.modelStatus, "expected FIDO_CERTIFIED, received FIDO_CERTIFIED_L1") {
      try Self.verify(reports) { $0.statuses = [.fidoCertified] }
    }
    let later = [MetadataForm.report("FIDO_CERTIFIED", "2031-01-01")]
    expect(.modelStatus, "received none") { try Self.verify(later) { $0.statuses = [.fidoCertified] } }
  }

  @Test func `a model must be certified to the required level`() throws {
    _ = try Self.verify([Self.report("FIDO_CERTIFIED_L2")]) { $0.certificationLevel = .level1Plus }
    _ = try Self.verify([Self.report("FIDO_CERTIFIED")]) { $0.certificationLevel = .level1 }
    expect(.modelCertificationLevel, "expected at least L3plus, received L2plus") {
      try Self.verify([Self.report("FIDO_CERTIFIED_L2plus")]) { $0.certificationLevel = .level3Plus }
    }
    expect(.modelCertificationLevel, "received no certification") {
      try Self.verify([Self.report("NOT_FIDO_CERTIFIED")]) { $0.certificationLevel = .level1 }
    }
  }

  @Test func `a certification ends when the model is no longer certified`() {
    let reports = [
      Self.report("FIDO_CERTIFIED_L2"), MetadataForm.report("NOT_FIDO_CERTIFIED", "2025-01-01"),
      MetadataForm.report("FIDO_CERTIFIED_L1", "2026-01-01"),
    ]
    expect(.modelCertificationLevel, "expected at least L2, received L1") {
      try Self.verify(reports) { $0.certificationLevel = .level2 }
    }
  }

  @Test func `a certification of later firmware does not count for older firmware`() throws {
    let reports = [Self.report("FIDO_CERTIFIED_L2", ",\"authenticatorVersion\":5")]
    _ = try Self.verify(reports, firmwareVersion: 5) { $0.certificationLevel = .level2 }
    _ = try Self.verify(reports) { $0.certificationLevel = .level2 }
    expect(.modelCertificationLevel) {
      try Self.verify(reports, firmwareVersion: 4) { $0.certificationLevel = .level2 }
    }
  }

  @Test func `a model must protect its keys by every required means`() throws {
    _ = try Self.verify([]) { $0.keyProtection = [.hardware] }
    expect(.modelKeyProtection, "expected hardware, secure_element, received hardware, tee") {
      try Self.verify([]) { $0.keyProtection = [.hardware, .secureElement] }
    }
  }

  @Test func `every level has its name`() {
    #expect(
      MetadataBlob.CertificationLevel.allCases.map(\.description) == ["L1", "L1plus", "L2", "L2plus", "L3", "L3plus"])
  }
}
