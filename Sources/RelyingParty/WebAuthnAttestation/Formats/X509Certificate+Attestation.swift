// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension X509Certificate {
  /// Verifies the requirements of §8.2.1 and §8.2.2 for the certificate of a packed attestation.
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
    // Some software authenticators use the key purpose of TPMs here. A real TPM key's certificate has no subject, so
    // the checks above refuse it.
    try requireNotForAnotherFormat(purpose: .attestationKeyCertificate)
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

  /// Refuses a certificate that was issued for another format or for a purpose other than attestation.
  ///
  /// The subject proves little: Android's key store certifies a key under any subject that an app requests. The check
  /// therefore uses the extensions that the issuer writes. `own` and `purpose` belong to the current format.
  func requireNotForAnotherFormat(
    except own: DERObjectIdentifier? = nil, purpose: DERObjectIdentifier? = nil
  ) throws(AttestationError) {
    try requireNoForeignExtension(except: own)
    let foreign = extendedKeyUsages?.first { $0 != purpose && DERObjectIdentifier.foreignPurposes.contains($0) }
    if let foreign { throw AttestationError(.certificatePurpose, "\(foreign) is not for this format") }
  }

  /// Refuses a certificate with an extension of another format's certificates.
  func requireNoForeignExtension(except own: DERObjectIdentifier? = nil) throws(AttestationError) {
    for identifier in [DERObjectIdentifier.androidKeyDescription, .appleNonce]
    where identifier != own && self.extension(identifier) != nil {
      throw AttestationError(.foreignExtension, "\(identifier)")
    }
  }

  /// Verifies that the AAGUID in the certificate, if present, equals the claimed one.
  func requireAAGUID(_ claimed: AAGUID) throws(AttestationError) {
    guard let `extension` = try notCritical(.fidoAAGUID) else { return }
    let octets = try `extension`.read { (reader) throws(WireError) in try reader.readOctetString() }
    guard let certified = AAGUID([UInt8](octets)) else {
      throw AttestationError(.malformedExtension, "\(DERObjectIdentifier.fidoAAGUID)")
    }
    guard certified == claimed else { throw AttestationError(.aaguidMismatch, expected: certified, received: claimed) }
  }

  /// Whether the certificate contains an AAGUID.
  var hasAAGUID: Bool { self.extension(.fidoAAGUID) != nil }

  /// §8.2.1: returns the firmware version of the authenticator, a non-negative number; nil if the certificate has none.
  func firmwareVersion() throws(AttestationError) -> UInt64? {
    try notCritical(.fidoFirmwareVersion)?.read { (reader) throws(WireError) in try reader.readUInt64() }
  }

  /// §8.2.2: returns the serial number of the individual device; nil outside of enterprise attestation.
  func enterpriseSerialNumber() throws(AttestationError) -> Bytes? {
    try notCritical(.fidoSerialNumber)?.read { (reader) throws(WireError) in try reader.readOctetString() }
  }

  /// The key identifier that metadata use: SHA-1 of the public key bits (RFC 5280 §4.2.1.2, method 1).
  var keyIdentifier: [UInt8] { Digest.legacySHA1(subjectPublicKeyInfo.key) }

  /// Returns a required extension.
  func requireExtension(_ identifier: DERObjectIdentifier) throws(AttestationError) -> CertificateExtension {
    guard let `extension` = self.extension(identifier) else {
      throw AttestationError(.missingExtension, "\(identifier)")
    }
    return `extension`
  }

  /// Returns a FIDO extension; none of them may be critical (§8.2.1, §8.2.2).
  private func notCritical(_ identifier: DERObjectIdentifier) throws(AttestationError) -> CertificateExtension? {
    guard let `extension` = self.extension(identifier) else { return nil }
    guard !`extension`.isCritical else { throw AttestationError(.criticalExtension, "\(identifier)") }
    return `extension`
  }
}

extension CertificateExtension {
  /// Parses the whole value.
  func read<Value>(
    _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(AttestationError) -> Value {
    try mapError(DERReader.parse(value, body)) { (error: WireError) in
      AttestationError(.malformedExtension, error, "\(identifier)")
    }
  }
}

extension DERObjectIdentifier {
  /// id-fido-gen-ce-sernum
  static let fidoSerialNumber: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]
  /// id-fido-gen-ce-aaguid
  static let fidoAAGUID: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]
  /// id-fido-gen-ce-fw-version
  static let fidoFirmwareVersion: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]
  /// The extension with the Android key store's description of a key.
  static let androidKeyDescription: Self = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
  /// The extension with the nonce of Apple's attestation.
  static let appleNonce: Self = [1, 2, 840, 113635, 100, 8, 2]
  /// tcg-kp-AIKCertificate
  static let attestationKeyCertificate: Self = [2, 23, 133, 8, 3]

  /// Key purposes of certificates that anyone can obtain: web servers, their clients, mail (RFC 5280 §4.2.1.12). Also
  /// that of a TPM attestation key, because it signs any user data that does not imitate the TPM's own structures.
  fileprivate static let foreignPurposes: [Self] = [
    [1, 3, 6, 1, 5, 5, 7, 3, 1], [1, 3, 6, 1, 5, 5, 7, 3, 2], [1, 3, 6, 1, 5, 5, 7, 3, 4], .attestationKeyCertificate,
  ]
}
