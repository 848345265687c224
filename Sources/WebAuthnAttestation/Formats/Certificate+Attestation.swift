// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension Certificate {
  /// Checks the requirements of §8.2.1 and §8.2.2 for the certificate of a packed attestation.
  func requirePackedAttestationForm(
    of model: AAGUID, _ tolerances: ModelTolerances
  ) throws(AttestationError) {
    try requireVersion3()
    guard subject.country?.utf8.count == 2 else { throw AttestationError(.certificateSubject, "C of \(subject)") }
    guard subject.organization?.isEmpty == false else {
      throw AttestationError(.certificateSubject, "O of \(subject)")
    }
    guard subject.values(of: .organizationalUnitName).contains("Authenticator Attestation") else {
      throw AttestationError(.certificateSubject, "OU of \(subject)")
    }
    guard subject.commonName?.isEmpty == false else {
      throw AttestationError(.certificateSubject, "CN of \(subject)")
    }
    try requireNoAuthority(of: model, tolerances)
    // Authenticators in software put a TPM's purpose here. A real TPM key's certificate has no subject and fails above.
    try requireNoForeignMark(purpose: .attestationKeyCertificate)
  }

  func requireVersion3() throws(AttestationError) {
    guard version == 3 else { throw AttestationError(.certificateVersion, expected: 3, received: version) }
  }

  /// §8.2.1, §8.3.1: "The Basic Constraints extension MUST have the CA component set to false".
  func requireNoAuthority(of model: AAGUID, _ tolerances: ModelTolerances) throws(AttestationError) {
    guard let basicConstraints else {
      guard tolerances.withoutBasicConstraints.contains(model) else {
        throw AttestationError(.certificateIsAuthority, "\(subject) has no basic constraints")
      }
      return
    }
    guard !basicConstraints.isAuthority else { throw AttestationError(.certificateIsAuthority, "\(subject)") }
  }

  /// Refuses a certificate that was issued for another format or for something other than attestation.
  ///
  /// A subject proves little: Android's key store certifies a key under any subject that an app asks for. So a
  /// certificate is judged by the extensions that its issuer writes. `own` and `purpose` belong to the format at hand.
  func requireNoForeignMark(
    except own: ObjectIdentifier? = nil, purpose: ObjectIdentifier? = nil
  ) throws(AttestationError) {
    try requireNoForeignExtension(except: own)
    let foreign = extendedKeyUsages?.first { $0 != purpose && ObjectIdentifier.foreignPurposes.contains($0) }
    if let foreign { throw AttestationError(.certificatePurpose, "\(foreign) is not for this format") }
  }

  /// Refuses a certificate with an extension of another format's certificates.
  func requireNoForeignExtension(except own: ObjectIdentifier? = nil) throws(AttestationError) {
    for identifier in [ObjectIdentifier.androidKeyDescription, .appleNonce]
    where identifier != own && self.extension(identifier) != nil {
      throw AttestationError(.foreignExtension, "\(identifier)")
    }
  }

  /// Checks that the certificate names this model, if it names one.
  func requireAAGUID(_ claimed: AAGUID) throws(AttestationError) {
    guard let `extension` = try notCritical(.fidoAAGUID) else { return }
    let octets = try `extension`.read { (reader) throws(WireError) in try reader.readOctetString() }
    guard let certified = AAGUID(octets) else {
      throw AttestationError(.malformedExtension, "\(ObjectIdentifier.fidoAAGUID)")
    }
    guard certified == claimed else { throw AttestationError(.aaguidMismatch, expected: certified, received: claimed) }
  }

  /// Whether the certificate names a model.
  var namesModel: Bool { self.extension(.fidoAAGUID) != nil }

  /// §8.2.1: the version of the authenticator's firmware, a number that is not negative; nil if the certificate does not
  /// tell.
  func firmwareVersion() throws(AttestationError) -> UInt64? {
    try notCritical(.fidoFirmwareVersion)?.read { (reader) throws(WireError) in try reader.readUInt64() }
  }

  /// §8.2.2: the octets that tell one device from the others of its model; nil outside of enterprise attestation.
  func enterpriseSerialNumber() throws(AttestationError) -> Bytes? {
    try notCritical(.fidoSerialNumber)?.read { (reader) throws(WireError) in try reader.readOctetString() }
  }

  /// The name of the key in metadata: SHA-1 of its bits (RFC 5280 §4.2.1.2, the first way).
  var keyIdentifier: [UInt8] { Digest.legacySHA1(subjectPublicKeyInfo.key) }

  /// The extension with this identifier, which must be there.
  func requireExtension(_ identifier: ObjectIdentifier) throws(AttestationError) -> CertificateExtension {
    guard let `extension` = self.extension(identifier) else {
      throw AttestationError(.missingExtension, "\(identifier)")
    }
    return `extension`
  }

  /// An extension of FIDO's, none of which may be critical (§8.2.1, §8.2.2).
  private func notCritical(_ identifier: ObjectIdentifier) throws(AttestationError) -> CertificateExtension? {
    guard let `extension` = self.extension(identifier) else { return nil }
    guard !`extension`.isCritical else { throw AttestationError(.criticalExtension, "\(identifier)") }
    return `extension`
  }
}

extension CertificateExtension {
  /// Reads the value to its end.
  func read<Value>(
    _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(AttestationError) -> Value {
    do throws(WireError) {
      return try DERReader.parse(value, body)
    } catch {
      throw AttestationError(.malformedExtension, error, "\(identifier)")
    }
  }
}

extension ObjectIdentifier {
  /// id-fido-gen-ce-sernum
  static let fidoSerialNumber: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]
  /// id-fido-gen-ce-aaguid
  static let fidoAAGUID: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]
  /// id-fido-gen-ce-fw-version
  static let fidoFirmwareVersion: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]
  /// The extension in which Android's key store describes a key.
  static let androidKeyDescription: Self = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
  /// The extension in which Apple's authority puts the nonce.
  static let appleNonce: Self = [1, 2, 840, 113635, 100, 8, 2]
  /// tcg-kp-AIKCertificate
  static let attestationKeyCertificate: Self = [2, 23, 133, 8, 3]

  /// Purposes of certificates that anyone can have: web servers, their clients, mail (RFC 5280 §4.2.1.12). And that of a
  /// TPM's attestation key, which signs whatever the TPM's user wants unless it looks like the TPM's own structures.
  fileprivate static let foreignPurposes: [Self] = [
    [1, 3, 6, 1, 5, 5, 7, 3, 1], [1, 3, 6, 1, 5, 5, 7, 3, 2], [1, 3, 6, 1, 5, 5, 7, 3, 4], .attestationKeyCertificate,
  ]
}
