// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension Certificate {
  /// Demands what §8.2.1 demands of a packed attestation's certificate.
  func requirePackedAttestationForm() throws(AttestationError) {
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
    try requireNoAuthority()
  }

  func requireVersion3() throws(AttestationError) {
    guard version == 3 else { throw AttestationError(.certificateVersion, expected: 3, received: version) }
  }

  /// Some real certificates have no basic constraints at all. They are no authorities either (RFC 5280 §4.2.1.9).
  func requireNoAuthority() throws(AttestationError) {
    guard !isCertificateAuthority else { throw AttestationError(.certificateIsAuthority, "\(subject)") }
  }

  /// Demands that the model which the certificate names, if it names one, is this one.
  func requireAAGUID(_ claimed: AAGUID) throws(AttestationError) {
    guard let `extension` = self.extension(.fidoAAGUID) else { return }
    guard !`extension`.isCritical else { throw AttestationError(.criticalExtension, "\(ObjectIdentifier.fidoAAGUID)") }
    let certified: AAGUID?
    do throws(WireError) {
      certified = AAGUID(
        try DERReader.parse(`extension`.value) { (reader) throws(WireError) in try reader.readOctetString() })
    } catch {
      throw AttestationError(.malformedExtension, error, "\(ObjectIdentifier.fidoAAGUID)")
    }
    guard let certified else { throw AttestationError(.malformedExtension, "\(ObjectIdentifier.fidoAAGUID)") }
    guard certified == claimed else { throw AttestationError(.aaguidMismatch, expected: certified, received: claimed) }
  }

  /// The version of the firmware that made the key, where the certificate tells (§8.2.1).
  var firmwareVersion: UInt64? {
    guard let value = self.extension(.fidoFirmwareVersion)?.value else { return nil }
    return try? DERReader.parse(value) { (reader) throws(WireError) in try reader.readUInt64() }
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
}

extension ObjectIdentifier {
  /// id-fido-gen-ce-aaguid
  static let fidoAAGUID: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]
  /// id-fido-gen-ce-fw-version
  static let fidoFirmwareVersion: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]
}
