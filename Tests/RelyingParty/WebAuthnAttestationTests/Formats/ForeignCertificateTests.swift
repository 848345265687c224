// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

/// Certificates that an anchored authority has issued for another purpose.
@Suite struct ForeignCertificateTests {
  private static let appleNonce = CertificatePart.extension([1, 2, 840, 113635, 100, 8, 2]) {
    $0.writeSequence { $0.writeExplicit(1) { $0.writeOctetString([UInt8](repeating: 1, count: 32)[...]) } }
  }

  private static func purpose(_ identifiers: DERObjectIdentifier...) -> [UInt8] {
    CertificatePart.extension(.extendedKeyUsage) {
      $0.writeSequence { for identifier in identifiers { $0.writeObjectIdentifier(identifier) } }
    }
  }

  private static let serverAuth: DERObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 1]
  private static let clientAuth: DERObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 2]
  private static let emailProtection: DERObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 4]
  private static let attestationKey: DERObjectIdentifier = [2, 23, 133, 8, 3]

  /// Verifies a packed statement whose certificate has this additional extension.
  private static func packed(_ ceremony: CeremonyForm, _ extension: [UInt8]) throws -> AttestationOutcome {
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key) { $0.extensions.append(`extension`) }
    return try ceremony.verify(
      .packed,
      [
        "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)],
      ])
  }

  private static func u2f(_ extension: [UInt8]) throws -> AttestationOutcome {
    var ceremony = try CeremonyForm()
    ceremony.aaguid = [UInt8](repeating: 0, count: 16)
    let key = try TestKey.make("batch")
    guard case .ec2(_, let x, let y) = ceremony.key.publicKey.material else { throw Unexpected() }
    let message =
      [0x00] + CeremonyForm.relyingPartyIDHash + ceremony.clientDataHash + CeremonyForm.credentialID + [0x04] + x + y
    let certificate = try ceremony.certificate(of: key) { $0.extensions.append(`extension`) }
    return try ceremony.verify(.fidoU2F, ["sig": .bytes(try key.sign(message[...])), "x5c": [.bytes(certificate)]])
  }

  private struct Unexpected: Error {}

  @Test func `an Android key store certificate attests in its own format only`() throws {
    let ceremony = try CeremonyForm()
    let description = KeyDescriptionForm(for: ceremony).extension
    expect(.foreignExtension, "1.3.6.1.4.1.11129.2.1.17") { try Self.packed(ceremony, description) }
    expect(.foreignExtension, "1.3.6.1.4.1.11129.2.1.17") { try Self.u2f(description) }
    var tpm = try TPMStatementForm(ceremony)
    tpm.corruptCertificate = { $0.extensions.append(description) }
    expect(.foreignExtension) { try ceremony.verify(.tpm, .map(tpm.members())) }
    let apple = try ceremony.certificate(of: ceremony.key) { $0.extensions += [Self.appleNonce, description] }
    expect(.foreignExtension) { try ceremony.verify(.apple, ["x5c": [.bytes(apple)]]) }
  }

  @Test func `an Android key store attest key issues no certificate for another format`() throws {
    let ceremony = try CeremonyForm()
    let (attestKey, batch) = (try TestKey.make("attest key"), try TestKey.make("batch"))
    func verify(_ extensions: [[UInt8]]) throws -> AttestationOutcome {
      let name = [(DERObjectIdentifier.commonName, "Attest key")]
      var issuer = CertificateForm(name, attestKey.publicKey)
      issuer.extensions = [CertificateForm.basicConstraints(isAuthority: true)] + extensions
      let chain = [
        try ceremony.certificate(of: batch, from: Issuer(subject: name, key: attestKey)),
        try issuer.signed(by: ceremony.root.issuer),
      ]
      return try ceremony.verify(
        .packed,
        [
          "alg": -7, "sig": .bytes(try batch.sign(ceremony.signedBytes[...])),
          "x5c": .array(chain.map { .bytes($0) }),
        ])
    }
    #expect(try verify([]).trust.kind == .anchored)
    expect(.foreignExtension, "1.3.6.1.4.1.11129.2.1.17") { try verify([KeyDescriptionForm(for: ceremony).extension]) }
    expect(.foreignExtension, "1.2.840.113635.100.8.2") { try verify([Self.appleNonce]) }
  }

  @Test func `a certificate of Apple's authority attests in its own format only`() throws {
    let ceremony = try CeremonyForm()
    expect(.foreignExtension, "1.2.840.113635.100.8.2") { try Self.packed(ceremony, Self.appleNonce) }
    expect(.foreignExtension) { try Self.u2f(Self.appleNonce) }
    let both = try ceremony.certificate(of: ceremony.key) {
      $0.extensions += [Self.appleNonce, KeyDescriptionForm(for: ceremony).extension]
    }
    expect(.foreignExtension) {
      try ceremony.verify(
        .androidKey,
        [
          "alg": -7, "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(both)],
        ])
    }
  }

  @Test(arguments: [serverAuth, clientAuth, emailProtection, attestationKey])
  func `a certificate for another purpose is refused`(_ identifier: DERObjectIdentifier) throws {
    let ceremony = try CeremonyForm()
    if identifier == Self.attestationKey {
      // An attestation certificate of a TPM has no subject, which this format requires.
      #expect(try Self.packed(ceremony, Self.purpose(identifier)).trust.kind == .anchored)
    } else {
      expect(.certificatePurpose, "\(identifier)") { try Self.packed(ceremony, Self.purpose(identifier)) }
      expect(.certificatePurpose) { try Self.packed(ceremony, Self.purpose([1, 2, 3], identifier)) }
    }
    expect(.certificatePurpose) { try Self.u2f(Self.purpose(identifier)) }
    let apple = try ceremony.certificate(of: ceremony.key) {
      $0.extensions += [Self.appleNonce, Self.purpose(identifier)]
    }
    expect(.certificatePurpose) { try ceremony.verify(.apple, ["x5c": [.bytes(apple)]]) }
  }

  @Test func `a matching or unknown purpose is accepted`() throws {
    let ceremony = try CeremonyForm()
    #expect(try Self.packed(ceremony, Self.purpose([1, 3, 6, 1, 4, 1, 99999, 7])).trust.kind == .anchored)
    var tpm = try TPMStatementForm(ceremony)
    #expect(try ceremony.verify(.tpm, .map(tpm.members())).trust.kind == .anchored)
    tpm.corruptCertificate = { $0.extensions[2] = Self.purpose(Self.attestationKey, Self.serverAuth) }
    expect(.certificatePurpose) { try ceremony.verify(.tpm, .map(tpm.members())) }
  }
}
