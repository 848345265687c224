// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct FIDOU2FAttestationTests {
  /// A ceremony without an AAGUID, as in CTAP's mapping of U2F.
  private static func form(_ algorithm: COSEAlgorithm = .es256) throws -> CeremonyForm {
    var ceremony = try CeremonyForm(algorithm)
    ceremony.aaguid = [UInt8](repeating: 0, count: 16)
    return ceremony
  }

  private static func message(_ ceremony: CeremonyForm) throws -> [UInt8] {
    guard case .ec2(_, let x, let y) = ceremony.key.publicKey.material else { return [] }
    return [0x00] + CeremonyForm.relyingPartyIDHash + ceremony.clientDataHash + CeremonyForm.credentialID + [0x04] + x
      + y
  }

  private static func statement(
    _ ceremony: CeremonyForm, _ algorithm: COSEAlgorithm = .es256, issuer: Bytes? = nil
  ) throws -> Members {
    let key = try TestKey.make("batch", algorithm)
    // U2F certificates need not meet §8.2.1, and do not.
    let certificate = try ceremony.certificate(of: key) {
      $0.subject = [(.commonName, "U2F")]
      $0.extensions = []
      guard let issuer else { return }
      $0.extensions.append(
        CertificatePart.extension([2, 5, 29, 35]) { (writer) in
          writer.writeSequence { $0.writeOctetString(issuer, tag: .context(0)) }
        })
    }
    return ["sig": .bytes(try key.sign(message(ceremony)[...])), "x5c": .array([.bytes(certificate)])]
  }

  @Test func `a model is found by the key of its certificate, or by that of the authority that the certificate names`()
    throws
  {
    var ceremony = try Self.form()
    let leaf = try X509Certificate(der: ceremony.certificate(of: TestKey.make("batch")))
    for certificate in [leaf, ceremony.root.certificate] {
      let identifier = Digest.legacySHA1(certificate.subjectPublicKeyInfo.key)
      let entry = MetadataForm.entry(
        "\"attestationCertificateKeyIdentifiers\":[\"\(Hex.encode(identifier))\"]", MetadataForm.report("REVOKED"))
      ceremony.policy.trustAnchors = TrustAnchors(metadata: try MetadataForm(entry).verify())
      expect(.authenticatorStatus, "REVOKED") {
        try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony, issuer: identifier[...])))
      }
    }
  }

  @Test func `a model whose entry is damaged has no other anchors`() throws {
    var ceremony = try Self.form()
    let leaf = try X509Certificate(der: ceremony.certificate(of: TestKey.make("batch")))
    let identifier = Hex.encode(Digest.legacySHA1(leaf.subjectPublicKeyInfo.key))
    func trust(_ reports: String) throws -> AttestationOutcome.Trust {
      let entry = "{\"attestationCertificateKeyIdentifiers\":[\"\(identifier)\"],\"statusReports\":\(reports)}"
      ceremony.policy.trustAnchors = TrustAnchors(
        metadata: try MetadataForm(entry).verify(), forEverything: [ceremony.root.certificate])
      return try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony))).trust
    }
    #expect(try trust("[]").kind == .anchored)
    guard case .unanchored(.metadataUnreadable) = try trust("[{\"status\":7}]") else {
      Issue.record("another trust")
      return
    }
  }

  @Test func `a tolerated AAGUID is not proven, but the key's metadata count`() throws {
    var ceremony = try Self.form()
    ceremony.aaguid = [UInt8](repeating: 9, count: 16)
    let aaguid = try #require(AAGUID(ceremony.aaguid))
    ceremony.policy.modelTolerances.namedInFIDOU2F = [aaguid]
    let leaf = try X509Certificate(der: ceremony.certificate(of: TestKey.make("batch")))
    let identifier = Hex.encode(Digest.legacySHA1(leaf.subjectPublicKeyInfo.key))
    let entry = MetadataForm.entry(
      "\"attestationCertificateKeyIdentifiers\":[\"\(identifier)\"]", roots: [[UInt8](ceremony.root.certificate.der)],
      MetadataForm.report("FIDO_CERTIFIED"))
    ceremony.policy.trustAnchors = TrustAnchors(metadata: try MetadataForm(entry).verify())
    ceremony.policy.models.statuses = [.fidoCertified]
    #expect(try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony))).trust.kind == .anchored)
    ceremony.policy.models.allowed = [aaguid]
    expect(.modelUnproven) { try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony))) }
  }

  @Test func `a U2F key attests`() throws {
    let ceremony = try Self.form()
    let outcome = try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony)))
    #expect(outcome.type == .basic)
    #expect(outcome.trust.kind == .anchored)
  }

  @Test func `an unsigned AAGUID is refused`() throws {
    let ceremony = try Self.form()
    var other = ceremony
    other.aaguid = [UInt8](repeating: 9, count: 16)
    expect(.aaguidNotZero, "09090909-0909-0909-0909-090909090909") {
      try other.verify(.fidoU2F, .map(Self.statement(ceremony)))
    }
    other.policy.modelTolerances.namedInFIDOU2F = [try #require(AAGUID(other.aaguid))]
    let outcome = try other.verify(.fidoU2F, .map(Self.statement(ceremony)))
    #expect(outcome.trust.kind == .anchored)
    #expect(!outcome.provenClaims.signed.contains(.aaguid))
    // A tolerated value is not proven, even if metadata know the certificate.
    other.policy.models.allowed = [try #require(AAGUID(other.aaguid))]
    expect(.modelUnproven) { try other.verify(.fidoU2F, .map(Self.statement(ceremony))) }
    var plain = ceremony
    plain.policy.models.allowed = [.zero]
    #expect(try plain.verify(.fidoU2F, .map(Self.statement(ceremony))).trust.kind == .anchored)
  }

  @Test func `the reports of every model with a certificate's key count`() throws {
    var ceremony = try Self.form()
    let identifier = Digest.legacySHA1(ceremony.root.certificate.subjectPublicKeyInfo.key)
    func entry(_ name: String, _ status: String) -> String {
      MetadataForm.entry(
        "\"attestationCertificateKeyIdentifiers\":[\"\(Hex.encode(identifier))\"],\"aaid\":\"\(name)\"",
        roots: [[UInt8](ceremony.root.certificate.der)], MetadataForm.report(status, "2024-01-01"))
    }
    ceremony.policy.trustAnchors = TrustAnchors(
      metadata: try MetadataForm(entry("1234#0001", "FIDO_CERTIFIED"), entry("1234#0002", "REVOKED")).verify())
    expect(.authenticatorStatus, "REVOKED") {
      try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony, issuer: identifier[...])))
    }
  }

  @Test func `unsigned flags are not proven`() throws {
    let ceremony = try Self.form()
    var other = ceremony
    other.flags = 0x5d  // UP, UV, BE, BS and AT
    let outcome = try other.verify(.fidoU2F, .map(Self.statement(ceremony)))
    #expect(outcome.provenClaims.vouched == [.publicKey, .credentialID, .relyingPartyID, .clientData])
    #expect(outcome.provenClaims.signed == outcome.provenClaims.vouched)
    #expect(outcome.vouchedClaims == ["publicKey", "credentialId", "rpIdHash", "clientDataHash"])
    #expect(outcome.signedClaims == outcome.vouchedClaims)
    #expect(outcome.certificateEncodings == outcome.certificates.map { [UInt8]($0.der) })
    #expect(outcome.certificateEncodings.count == 1)
  }

  @Test func `each member is required`() throws {
    let ceremony = try Self.form()
    expectEachMemberIsNeeded(ceremony, .fidoU2F, try Self.statement(ceremony), ["sig", "x5c"])
  }

  @Test func `exactly one certificate is required`() throws {
    let ceremony = try Self.form()
    var statement = try Self.statement(ceremony)
    statement["x5c"] = .array([
      .bytes(try ceremony.certificate(of: TestKey.make("batch"))), .bytes([UInt8](ceremony.root.certificate.der)),
    ])
    expect(.certificateCount, "expected 1, received 2") { try ceremony.verify(.fidoU2F, .map(statement)) }
  }

  @Test func `both keys must be on P-256`() throws {
    let ceremony = try Self.form()
    expect(.algorithmMismatch) { try ceremony.verify(.fidoU2F, .map(Self.statement(ceremony, .es384))) }
    let other = try Self.form(.es384)
    expect(.algorithmMismatch, "expected ES256, received ES384") {
      try other.verify(.fidoU2F, .map(Self.statement(other)))
    }
  }

  @Test func `each part is signed`() throws {
    let ceremony = try Self.form()
    let statement = try Self.statement(ceremony)
    var other = ceremony
    other.clientDataHash[31] ^= 1
    expect(.invalidSignature) { try other.verify(.fidoU2F, .map(statement)) }
    other = ceremony
    other.key = try TestKey.make("another")
    expect(.invalidSignature) { try other.verify(.fidoU2F, .map(statement)) }
  }

  @Test func `a certificate with stray bits in its signature is accepted`() throws {
    let ceremony = try Self.form()
    var statement = try Self.statement(ceremony)
    guard case .array(let chain)? = statement["x5c"], case .bytes(var certificate)? = chain.first else {
      Issue.record("no certificate")
      return
    }
    // The signature is the last element: a BIT STRING whose first byte counts the unused bits.
    let start = try #require(
      certificate.indices.last {
        certificate[$0] == 0x03 && $0 + 2 + Int(certificate[$0 + 1]) == certificate.count && certificate[$0 + 2] == 0
      })
    certificate[start + 2] = 5
    statement["x5c"] = .array([.bytes(certificate)])
    #expect(try ceremony.verify(.fidoU2F, .map(statement)).trust.kind == .anchored)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `Yubico's certificate with stray bits in its signature is accepted`() throws {
    let registration = try RegistrationCase.named("java-webauthn-server/fido-u2f/SecurityKey")
    let outcome = try registration.verify(registration.policy)
    #expect(outcome.certificates.first?.subject.commonName == "Yubico U2F EE Serial 13831167861")
    #expect(outcome.trust.kind == .anchored)
  }
}
