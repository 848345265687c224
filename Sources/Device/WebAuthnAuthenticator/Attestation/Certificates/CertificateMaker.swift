// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats

// Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue BIT STRING }        (RFC 5280 §4.1)
// TBSCertificate ::= SEQUENCE {
//   version         [0] EXPLICIT INTEGER DEFAULT v1,
//   serialNumber    INTEGER,
//   signature       AlgorithmIdentifier,
//   issuer          Name,
//   validity        SEQUENCE { notBefore Time, notAfter Time },
//   subject         Name,
//   subjectPublicKeyInfo,
//   extensions      [3] EXPLICIT SEQUENCE OF Extension OPTIONAL }

/// An unsigned certificate. Its contents are not validated, so that tests can create invalid certificates for verifiers
/// to reject.
package struct CertificateMaker: Sendable {
  /// The version: 3 for a certificate with extensions.
  package var version: Int64 = 3

  /// The serial number, a positive big-endian integer.
  package var serialNumber: [UInt8]

  /// The issuer's name.
  package var issuer: CertificateName

  /// The validity period, both ends included.
  package var validity: ClosedRange<UnixTime>

  /// The subject's name.
  package var subject: CertificateName

  /// The subject's public key.
  package var publicKey: COSEKey

  /// The extensions, as encoded.
  package var extensions: [CertificateExtension]

  /// Creates an unsigned version 3 certificate.
  package init(
    serialNumber: [UInt8], issuer: CertificateName, validity: ClosedRange<UnixTime>, subject: CertificateName,
    publicKey: COSEKey, extensions: [CertificateExtension] = []
  ) {
    self.serialNumber = serialNumber
    self.issuer = issuer
    self.validity = validity
    self.subject = subject
    self.publicKey = publicKey
    self.extensions = extensions
  }

  /// Returns the certificate in DER, signed by the issuer's key.
  ///
  /// - Throws: `crypto.library-failure`, or `crypto.unsupported-algorithm` for a key that certificates cannot
  ///   contain.
  package func certificate(
    signedBy key: SigningKey, _ signing: SigningMode = .randomized
  ) throws(PasskeyCryptoError) -> [UInt8] {
    try key.signedStructure(signing) { (writer) throws(PasskeyCryptoError) in
      if version != 1 { writer.writeExplicit(0) { $0.writeInteger(version - 1) } }
      writer.writeInteger(magnitude: serialNumber)
      writer.write(encoded: try key.algorithm.certificateAlgorithm)
      issuer.write(to: &writer)
      try writer.writeValidity(validity)
      subject.write(to: &writer)
      writer.write(encoded: try publicKey.subjectPublicKeyInfo)
      guard !extensions.isEmpty else { return }
      writer.writeExplicit(3) { (writer) in
        writer.writeSequence { (writer) in
          for each in extensions { writer.write(each) }
        }
      }
    }
  }
}

extension DERWriter {
  fileprivate mutating func writeValidity(_ validity: ClosedRange<UnixTime>) throws(PasskeyCryptoError) {
    do throws(WireError) {
      try writeSequence { (writer) throws(WireError) in
        try writer.writeTime(validity.lowerBound)
        try writer.writeTime(validity.upperBound)
      }
    } catch {
      throw PasskeyCryptoError(.invalidParameter, error)
    }
  }

  fileprivate mutating func write(_ extension: CertificateExtension) {
    writeSequence { (writer) in
      writer.writeObjectIdentifier(`extension`.identifier)
      if `extension`.isCritical { writer.writeBoolean(true) }
      writer.writeOctetString(`extension`.value)
    }
  }
}
