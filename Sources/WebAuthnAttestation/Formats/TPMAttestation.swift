// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// Attestation by a Trusted Platform Module, as Windows has it (WebAuthn Level 3 §8.3).
struct TPMAttestation {
  private let version: String
  private let algorithm: COSEAlgorithm
  private let signature: Bytes
  private let certificates: AttestationCertificates
  private let certifyInfo: Bytes
  private let publicArea: Bytes

  // The statement has the members that it must have.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let statement = try AttestationStatement(statement)
    version = try statement.text("ver")
    algorithm = try statement.algorithm()
    signature = try statement.bytes("sig")
    certificates = try statement.certificates()
    certifyInfo = try statement.bytes("certInfo")
    publicArea = try statement.bytes("pubArea")
  }

  func verify(
    of ceremony: AttestedCeremony, _ legacyHash: AttestationPolicy.LegacyHash, _ tolerances: ModelTolerances
  ) throws(AttestationError) -> VerifiedStatement {
    guard version == "2.0" else { throw AttestationError(.tpmVersion, expected: "2.0", received: version) }
    let hash = try signedHash(legacyHash)

    // The key in pubArea is the credential key.
    let publicArea = try TPMPublicArea(parsing: self.publicArea)
    guard publicArea.key.isSame(as: ceremony.credentialPublicKey.material) else {
      throw AttestationError(.publicKeyMismatch)
    }

    // The TPM's attestation key has a certificate of the right kind, and signed certInfo.
    // Whether it names another model comes first: what is tolerated depends on the model.
    try certificates.leaf.requireAAGUID(ceremony.credential.aaguid)
    try certificates.leaf.requireTPMAttestationForm(of: ceremony.credential.aaguid, tolerances)
    try certificates.verify(signature, over: certifyInfo, algorithm)

    // certInfo was made by a TPM, is about this ceremony, and about that key.
    let certifyInfo = try TPMCertifyInfo(parsing: self.certifyInfo)
    guard certifyInfo.extraData == Digest.hash(ceremony.signedBytes, with: hash)[...] else {
      throw AttestationError(.tpmExtraDataMismatch, "by \(hash.rawValue)")
    }
    guard certifyInfo.name == publicArea.name[...] else { throw AttestationError(.tpmNameMismatch) }
    return VerifiedStatement(
      type: .attestationCA, claims: .byKeyStore.withModel(certificates.leaf.namesModel), certificates: certificates.all)
  }

  /// The hash that the signature algorithm takes, which is that of extraData as well.
  private func signedHash(_ legacyHash: AttestationPolicy.LegacyHash) throws(AttestationError) -> COSEHash {
    switch algorithm.definition?.scheme {
    case .ecdsa(let hash)?, .rsaPSS(let hash)?, .rsaPKCS1(let hash)?:
      guard hash != .sha1 || legacyHash == .inTPMStatements else {
        throw AttestationError(.legacyHash, "\(algorithm)")
      }
      return hash
    case .eddsa?, .mlDSA?, .keyAgreement?, nil:
      throw AttestationError(.unsupportedAlgorithm, "\(algorithm) has no hash for extraData")
    }
  }
}

extension Certificate {
  /// Demands what §8.3.1 demands of the certificate of a TPM's attestation key.
  fileprivate func requireTPMAttestationForm(
    of model: AAGUID, _ tolerances: ModelTolerances
  ) throws(AttestationError) {
    try requireVersion3()
    guard subject.isEmpty else { throw AttestationError(.certificateSubject, "\(subject) should be empty") }
    try requireTPMAlternativeName()
    guard extendedKeyUsages?.contains(.attestationKeyCertificate) ?? false else {
      throw AttestationError(.certificatePurpose, "\(ObjectIdentifier.attestationKeyCertificate) is missing")
    }
    try requireNoForeignMark(purpose: .attestationKeyCertificate)
    try requireNoAuthority(of: model, tolerances)
  }

  /// TCG EK Credential Profile §3.2.9: a directory name with maker, model and version of the TPM. They come as one
  /// relative name or as three, in any order; both are in use.
  private func requireTPMAlternativeName() throws(AttestationError) {
    guard let `extension` = subjectAlternativeName else {
      throw AttestationError(.certificateAlternativeName, "is missing")
    }
    let names: GeneralNames
    do throws(WireError) {
      names = try GeneralNames(of: `extension`)
    } catch {
      throw AttestationError(.certificateAlternativeName, error)
    }
    let isComplete = names.directoryNames.contains { name in
      name.values(of: .tpmManufacturer).first?.isTPMVendorID ?? false
        && name.values(of: .tpmModel).first?.isEmpty == false && name.values(of: .tpmVersion).first?.isEmpty == false
    }
    guard isComplete else {
      throw AttestationError(
        .certificateAlternativeName, "no TPM in \(names.directoryNames.map(\.description).joined(separator: "; "))")
    }
  }
}

extension String {
  /// "id:" and the four characters of the vendor's identifier in hex. Which vendors there are, trust anchors say: a list
  /// here would be out of date before long, and the standard's own test vector is from none of them.
  fileprivate var isTPMVendorID: Bool {
    hasPrefix("id:") && utf8.count == 11 && utf8.dropFirst(3).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}

extension ObjectIdentifier {
  /// tcg-at-tpmManufacturer
  fileprivate static let tpmManufacturer: Self = [2, 23, 133, 2, 1]
  /// tcg-at-tpmModel
  fileprivate static let tpmModel: Self = [2, 23, 133, 2, 2]
  /// tcg-at-tpmVersion
  fileprivate static let tpmVersion: Self = [2, 23, 133, 2, 3]
}
