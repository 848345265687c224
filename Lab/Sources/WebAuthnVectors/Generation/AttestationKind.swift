// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAuthenticator
package import WebAuthnTypes

/// The attestation of a fictitious authenticator.
package indirect enum AttestationKind: Sendable {
  case none
  /// Packed self attestation, signed by the credential key.
  case selfSigned
  /// Packed, signed by an attestation key for this algorithm.
  case packed(COSEAlgorithm = .es256, Authority = .root)
  /// A TPM whose attestation key is for this algorithm.
  case tpm(COSEAlgorithm = .es256)
  case androidKey
  /// Android key attestation below a chain like those of real devices.
  case androidKeyBelow(AndroidChain)
  /// Android key attestation signed by an imported key of the key store, as the issuing certificate says.
  case androidKeyForged
  case androidSafetyNet(COSEAlgorithm = .rs256)
  case apple
  case fidoU2F
  case compound([AttestationKind])

  /// The authority that certifies the attestation key.
  package enum Authority: Sendable {
    case root
    case intermediate
    case intermediateWithoutCAFlag
    case intermediateWithoutSigningUsage
    /// An intermediate authority whose certificate encodes true as 01, which DER forbids.
    case intermediateWithInvalidBoolean
    /// An intermediate authority whose certificate has the extension with an Android key description.
    case intermediateWithKeyDescription
    /// An intermediate authority that signs over SHA-1.
    case intermediateSigningSHA1
    /// An intermediate authority that has expired.
    case intermediateExpired
    case twoIntermediates
    /// Two intermediate authorities, of which the upper one's path length constraint is zero.
    case twoIntermediatesExceedingPathLength
    /// An authority with the root's name and another key.
    case impostor
    /// The authorities of a device's key store.
    case androidChain(AndroidChain)
  }

  package var format: AttestationFormat {
    switch self {
    case .none: .none
    case .selfSigned, .packed: .packed
    case .tpm: .tpm
    case .androidKey, .androidKeyBelow, .androidKeyForged: .androidKey
    case .androidSafetyNet: .androidSafetyNet
    case .apple: .apple
    case .fidoU2F: .fidoU2F
    case .compound: .compound
    }
  }

  /// The attestation type, as the case format names it.
  var type: String {
    switch self {
    case .none: "none"
    case .selfSigned: "self"
    case .packed, .androidKey, .androidKeyBelow, .androidKeyForged, .androidSafetyNet, .fidoU2F: "basic"
    case .tpm: "attca"
    case .apple: "anonca"
    // The type of the first member with a certificate; of the last member where no member has one.
    case .compound(let members): (members.first { $0.hasCertificates } ?? members.last)?.type ?? "none"
    }
  }

  /// Whether the attestation has a certificate path.
  var hasCertificates: Bool {
    switch self {
    case .none, .selfSigned: false
    case .compound(let members): members.contains { $0.hasCertificates }
    default: true
    }
  }
}

/// Makes attestation statements with faults.
struct StatementMaker {
  let aaguid: AAGUID
  /// The serial number of the attestation certificate.
  let serialNumber: [UInt8]
  let faults: [Fault]
  let time: UnixTime

  func statement(_ kind: AttestationKind, for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    let made = try validStatement(kind, for: subject)
    return try faults.applied(to: StatementDraft(format: kind.format, statement: made)).statement
  }

  private func validStatement(
    _ kind: AttestationKind, for subject: AttestationSubject
  ) throws(PasskeyCryptoError) -> CBORTree {
    switch kind {
    case .none: return try NoneAttestationMaker().statement(for: subject)
    case .selfSigned: return try SelfAttestationMaker().statement(for: subject)
    case .packed(let algorithm, let authority):
      return try PackedAttestationMaker(identity(algorithm, authority)).statement(for: subject)
    case .fidoU2F: return try FIDOU2FAttestationMaker(identity(.es256, .root)).statement(for: subject)
    case .tpm(let algorithm):
      let maker = TPMAttestationMaker(try tpmIdentity(algorithm))
      return try maker.statement(for: subject, faults.applied(to: maker.certification(of: subject)))
    case .androidKey, .androidKeyBelow, .androidKeyForged:
      let authority =
        switch kind {
        case .androidKeyBelow(let chain): try chain.issuer()
        case .androidKeyForged: try VectorAuthorities.attestKey(for: subject)
        default: try VectorAuthorities.rootWithCertificate()
        }
      let maker = AndroidKeyAttestationMaker(
        authority,
        name: CertificateName(.init(.commonName, "Android Keystore Key")),
        serialNumber: serialNumber, validity: ScenarioDefaults.validity)
      let description = try faults.applied(to: AndroidKeyDescription(of: subject))
      return try maker.statement(
        for: subject, faults.applied(to: maker.certificate(for: subject, description)))
    case .apple:
      let maker = AppleAttestationMaker(
        try VectorAuthorities.root(), name: VectorAuthorities.attestation, serialNumber: serialNumber,
        validity: ScenarioDefaults.validity)
      return try maker.statement(for: subject, faults.applied(to: maker.certificate(for: subject)))
    case .androidSafetyNet(let algorithm):
      let maker = SafetyNetAttestationMaker(try serviceIdentity(algorithm), at: time)
      return try maker.statement(for: subject, faults.applied(to: maker.response(for: subject)))
    case .compound(let members):
      var statements: [CBORTree] = []
      for member in members {
        statements.append(
          ["fmt": .text(member.format.rawValue), "attStmt": try statement(member, for: subject)])
      }
      return .array(statements)
    }
  }

  /// Returns the attestation key of a batch, whose certificate has the AAGUID of the model.
  func identity(
    _ algorithm: COSEAlgorithm, _ authority: AttestationKind.Authority
  ) throws(PasskeyCryptoError) -> AttestationIdentity {
    let issuer = try issuer(authority)
    let key = try ScenarioValues.key(of: "Batch", algorithm)
    var certificate = try leaf(of: key, by: issuer, VectorAuthorities.attestation)
    // An authenticator without a model has a certificate without one.
    if aaguid != .zero { certificate.extensions.append(.authenticatorModel(aaguid)) }
    return try certified(key, certificate, by: issuer)
  }

  private func tpmIdentity(_ algorithm: COSEAlgorithm) throws(PasskeyCryptoError) -> AttestationIdentity {
    let issuer = try issuer(.root)
    let key = try ScenarioValues.key(of: "TPM", algorithm)
    var certificate = try leaf(of: key, by: issuer, .empty)
    certificate.extensions += [
      .attestationKeyPurpose,
      // The vendor ID of the fictitious TPM manufacturer in FIDO's conformance tools.
      .trustedPlatformModule(manufacturer: "id:FFFFF1D0", model: "Passkey Vectors", version: "id:00020000"),
      .authenticatorModel(aaguid),
    ]
    return try certified(key, certificate, by: issuer)
  }

  private func serviceIdentity(_ algorithm: COSEAlgorithm) throws(PasskeyCryptoError) -> AttestationIdentity {
    let issuer = try issuer(.root)
    let key = try ScenarioValues.key(of: "SafetyNet", algorithm)
    var certificate = try leaf(of: key, by: issuer, CertificateName(.init(.commonName, "attest.android.com")))
    certificate.extensions.append(.subjectAlternativeName(hosts: ["attest.android.com"]))
    return try certified(key, certificate, by: issuer)
  }

  private func leaf(
    of key: SigningKey, by issuer: CertificateIssuer, _ subject: CertificateName
  ) throws(PasskeyCryptoError) -> CertificateMaker {
    try issuer.leaf(
      subject, publicKey: key.publicKey, serialNumber: serialNumber, validity: ScenarioDefaults.validity)
  }

  private func certified(
    _ key: SigningKey, _ certificate: CertificateMaker, by issuer: CertificateIssuer
  ) throws(PasskeyCryptoError) -> AttestationIdentity {
    let certificate = try faults.applied(to: certificate).certificate(signedBy: issuer.key, .deterministic)
    return AttestationIdentity(key: key, certificates: [certificate] + issuer.path)
  }

  private func issuer(_ authority: AttestationKind.Authority) throws(PasskeyCryptoError) -> CertificateIssuer {
    switch authority {
    case .root: try VectorAuthorities.root()
    case .impostor: try VectorAuthorities.impostor()
    case .androidChain(let chain): try chain.issuer()
    case .intermediate: try VectorAuthorities.intermediate()
    case .intermediateWithoutCAFlag:
      try VectorAuthorities.intermediate { (certificate) in
        certificate.extensions[0] = .basicConstraints(isAuthority: false)
      }
    case .intermediateWithInvalidBoolean:
      try VectorAuthorities.intermediate { (certificate) in
        certificate.extensions[0] = CertificateExtension(
          .basicConstraints, isCritical: true, value: [0x30, 0x03, 0x01, 0x01, 0x01])
      }
    case .intermediateWithKeyDescription:
      try VectorAuthorities.intermediate { (certificate) in
        certificate.extensions.append(
          CertificateExtension([1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], value: [0x30, 0x00]))
      }
    case .intermediateExpired:
      try VectorAuthorities.intermediate { (certificate) in
        certificate.validity = certificate.validity.lowerBound...(certificate.validity.lowerBound + .seconds(86_400))
      }
    case .intermediateSigningSHA1: try VectorAuthorities.intermediate(.rs1)
    case .twoIntermediates: try VectorAuthorities.secondIntermediate(below: VectorAuthorities.intermediate())
    case .twoIntermediatesExceedingPathLength:
      try VectorAuthorities.secondIntermediate(
        below: VectorAuthorities.intermediate { (certificate) in
          certificate.extensions[0] = .basicConstraints(isAuthority: true, pathLength: 0)
        })
    case .intermediateWithoutSigningUsage:
      try VectorAuthorities.intermediate { (certificate) in certificate.extensions[1] = .keyUsage(.digitalSignature) }
    }
  }
}
