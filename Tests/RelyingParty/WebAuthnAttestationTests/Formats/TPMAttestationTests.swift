// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct TPMAttestationTests {
  private static func verify(
    _ ceremony: CeremonyForm, _ algorithm: COSEAlgorithm = .es256,
    _ corrupt: (inout TPMStatementForm) throws -> Void = { _ in }
  ) throws -> AttestationOutcome {
    var form = try TPMStatementForm(ceremony, algorithm)
    try corrupt(&form)
    return try ceremony.verify(.tpm, .map(form.members()))
  }

  @Test(arguments: [COSEAlgorithm.es256, .es384, .rs256, .rs1])
  func `a TPM certifies the credential key`(_ algorithm: COSEAlgorithm) throws {
    let outcome = try Self.verify(CeremonyForm(), algorithm)
    #expect(outcome.type == .attestationCA)
    #expect(outcome.trust.kind == .anchored)
  }

  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .rs256])
  func `every key type that TPMs support is certified`(_ algorithm: COSEAlgorithm) throws {
    #expect(try Self.verify(CeremonyForm(algorithm)).type == .attestationCA)
  }

  @Test func `each member is required`() throws {
    let ceremony = try CeremonyForm()
    let members = try TPMStatementForm(ceremony).members()
    expectEachMemberIsNeeded(ceremony, .tpm, members, ["ver", "alg", "sig", "x5c", "certInfo", "pubArea"])
  }

  @Test func `version and algorithm must be known`() throws {
    let ceremony = try CeremonyForm()
    expect(.tpmVersion, "expected 2.0, received 1.2") { try Self.verify(ceremony) { $0.version = "1.2" } }
    expect(.unsupportedAlgorithm) { try Self.verify(ceremony, .eddsa) }
    var strict = ceremony
    strict.policy.legacyHash = .inNoFormat
    expect(.legacyHash) { try Self.verify(strict, .rs1) }
    #expect(try Self.verify(strict, .es256).type == .attestationCA)
  }

  @Test func `the key in pubArea must be the credential key`() throws {
    let other = try TestKey.make("another")
    expect(.publicKeyMismatch) {
      try Self.verify(CeremonyForm()) { $0.publicArea = TPMStatementForm.publicArea(other.publicKey) }
    }
    let rsa = try TestKey.make("another", .rs256)
    expect(.publicKeyMismatch) {
      try Self.verify(CeremonyForm(.rs256)) { $0.publicArea = TPMStatementForm.publicArea(rsa.publicKey) }
    }
    // A key that shares one coordinate.
    func changed(_ number: Bytes) -> Bytes { number.dropLast() + number.suffix(1).map { $0 ^ 1 } }
    let ceremony = try CeremonyForm()
    if case .ec2(let curve, let x, let y) = ceremony.key.publicKey.material {
      for (x, y) in [(changed(x), y), (x, changed(y))] {
        let key = try COSEKey(algorithm: .es256, material: .ec2(curve: curve, x: x, y: y))
        expect(.publicKeyMismatch) { try Self.verify(ceremony) { $0.publicArea = TPMStatementForm.publicArea(key) } }
      }
    }
    // The same coordinates on another curve.
    let koblitz = try CeremonyForm(.es256k)
    if case .ec2(_, let x, let y) = koblitz.key.publicKey.material {
      let key = try COSEKey(algorithm: .es256, material: .ec2(curve: .p256, x: x, y: y))
      expect(.publicKeyMismatch) { try Self.verify(koblitz) { $0.publicArea = TPMStatementForm.publicArea(key) } }
    }
    // A curve that has no number in COSE.
    let area = TPMStatementForm.publicArea(ceremony.key.publicKey)
    expect(.publicKeyMismatch) {
      try Self.verify(ceremony) {
        $0.publicArea = area.replacing([0x00, 0x03, 0x00, 0x10], with: [0x00, 0x10, 0x00, 0x10])
      }
    }
    expect(.publicKeyMismatch) {
      try Self.verify(CeremonyForm(.eddsa)) { $0.publicArea = TPMStatementForm.publicArea(rsa.publicKey) }
    }
  }

  @Test func `exponent 0 means 65537 only`() throws {
    let ceremony = try CeremonyForm(.rs256)
    for (exponent, code) in [(UInt32(65537), AttestationError.Code?.none), (0, nil), (3, .publicKeyMismatch)] {
      let area = TPMStatementForm.publicArea(ceremony.key.publicKey, exponent: exponent)
      if let code {
        expect(code) { try Self.verify(ceremony) { $0.publicArea = area } }
      } else {
        #expect(try Self.verify(ceremony) { $0.publicArea = area }.type == .attestationCA)
      }
    }
  }

  @Test func `coordinates may have leading zeros`() throws {
    let ceremony = try CeremonyForm()
    let area = TPMStatementForm.publicArea(ceremony.key.publicKey, zeros: 1)
    #expect(try Self.verify(ceremony) { $0.publicArea = area }.type == .attestationCA)
  }

  @Test func `schemes of a key are skipped`() throws {
    let ceremony = try CeremonyForm()
    // AES-128 in CFB mode, ECDAA with SHA-256 and a count, MGF1 with SHA-256.
    let area = TPMStatementForm.publicArea(
      ceremony.key.publicKey, symmetric: hex("0006 0080 0043"), scheme: hex("001a 000b 0001"),
      derivation: hex("0007 000b"))
    #expect(try Self.verify(ceremony) { $0.publicArea = area }.type == .attestationCA)
    // RSAES has no parameters.
    let rsa = try CeremonyForm(.rs256)
    let other = TPMStatementForm.publicArea(rsa.key.publicKey, scheme: hex("0015"))
    #expect(try Self.verify(rsa) { $0.publicArea = other }.type == .attestationCA)
  }

  @Test func `truncated and extended structures are refused`() throws {
    let ceremony = try CeremonyForm()
    expect(.tpmMalformedPublicArea) { try Self.verify(ceremony) { $0.publicArea.removeLast() } }
    expect(.tpmMalformedPublicArea) { try Self.verify(ceremony) { $0.publicArea.append(0) } }
    expect(.tpmMalformedPublicArea) { try Self.verify(ceremony) { $0.publicArea[1] = 0x08 } }
    expect(.unsupportedAlgorithm) { try Self.verify(ceremony) { $0.publicArea[3] = 0x12 } }
    expect(.tpmMalformedCertifyInfo) { try Self.verify(ceremony) { $0.trailing = [0] } }
    expect(.tpmMalformedCertifyInfo) { try Self.verify(ceremony) { $0.clock.removeLast() } }
  }

  @Test func `certInfo must be made by a TPM for this ceremony and key`() throws {
    let ceremony = try CeremonyForm()
    expect(.tpmMagic, "expected 0xff544347, received 0xff544348") {
      try Self.verify(ceremony) { $0.magic = 0xff54_4348 }
    }
    // TPM_ST_ATTEST_QUOTE
    expect(.tpmStructureType, "expected 0x8017, received 0x8018") { try Self.verify(ceremony) { $0.type = 0x8018 } }
    expect(.tpmExtraDataMismatch, "by sha256") {
      try Self.verify(ceremony) { $0.extraData = [UInt8](repeating: 0, count: 32) }
    }
    expect(.tpmExtraDataMismatch, "by sha1") {
      try Self.verify(ceremony, .rs1) { $0.extraData = ceremony.nonce }
    }
    expect(.tpmNameMismatch) { try Self.verify(ceremony) { $0.name = [0, 0x0b] + [UInt8](repeating: 0, count: 32) } }
    expect(.invalidSignature) { try Self.verify(ceremony) { $0.signer = try TestKey.make("another") } }
  }

  @Test func `the certificate meets the requirements of §8.3.1`() throws {
    let ceremony = try CeremonyForm()
    func verify(_ corrupt: @escaping (inout CertificateForm) -> Void) throws -> AttestationOutcome {
      try Self.verify(ceremony) { $0.corruptCertificate = corrupt }
    }
    expect(.certificateVersion) {
      try verify {
        $0.version = 1
        $0.extensions = []
      }
    }
    expect(.certificateSubject) { try verify { $0.subject = [(.commonName, "TPM")] } }
    expect(.certificateAlternativeName, "is missing") { try verify { $0.extensions.remove(at: 1) } }
    expect(.certificateAlternativeName) { try verify { $0.extensions[1] = CertificateForm.hostNames("tpm") } }
    for corrupted in [
      ["id:414D4400", "AMD"], ["AMD", "AMD", "id:1"], ["id:414D440G", "AMD", "id:1"], ["id:414D4400", "", "id:1"],
      ["vi:414D4400", "AMD", "id:1"], ["id:G14D4400", "AMD", "id:1"], ["id:414D440", "AMD", "id:1"],
      ["id:414D44000", "AMD", "id:1"],
    ] {
      expect(.certificateAlternativeName, "no TPM in") {
        try verify { $0.extensions[1] = TPMStatementForm.alternativeName(corrupted) }
      }
    }
    let anonymousName = CertificatePart.name([[([2, 23, 133, 2, 2], "AMD")], [([2, 23, 133, 2, 3], "id:1")]])
    let anonymous = CertificatePart.extension(.subjectAlternativeName, isCritical: true) {
      $0.writeSequence { $0.writeExplicit(4) { $0.write(encoded: anonymousName[...]) } }
    }
    expect(.certificateAlternativeName, "no TPM in") { try verify { $0.extensions[1] = anonymous } }
    expect(.certificatePurpose) { try verify { $0.extensions.remove(at: 2) } }
    expect(.certificateIsAuthority) {
      try verify { $0.extensions[0] = CertificateForm.basicConstraints(isAuthority: true) }
    }
    // Both forms of the name are in use.
    #expect(
      try verify {
        $0.extensions[1] = TPMStatementForm.alternativeName(["id:414D4400", "AMD", "id:1"], inOneSet: true)
      }
      .trust.kind == .anchored)
    let other = CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]) {
      $0.writeOctetString([UInt8](repeating: 1, count: 16)[...])
    }
    expect(.aaguidMismatch) { try verify { $0.extensions.append(other) } }
  }

  @Test func `any signed structures are accepted or refused, and never trap`() throws {
    let ceremony = try CeremonyForm()
    try PropertyRuns.check(default: 500) { generator in
      var own = SeededGenerator(seed: UInt64.random(in: .min ... .max, using: &generator))
      var form = try TPMStatementForm(ceremony)
      form.publicArea = Mutation.mutated(form.publicArea, using: &own)
      let name = [0, 0x0b] + Digest.sha256(form.publicArea[...])
      // In half of the cases only the key is changed, and the name matches it.
      if Bool.random(using: &own) {
        form.corruptCertifyInfo = { info in
          info = Mutation.mutated(info, using: &own)
        }
      }
      form.name = name
      do {
        _ = try ceremony.verify(.tpm, .map(form.members()))
      } catch let error as AttestationError {
        let ok = ["attestation.tpm-", "attestation.public-key", "attestation.unsupported-algorithm"]
        guard ok.contains(where: { error.code.rawValue.hasPrefix($0) }) else { throw error }
      }
    }
  }
}
