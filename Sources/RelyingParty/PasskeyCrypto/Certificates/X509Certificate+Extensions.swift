// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension X509Certificate {
  /// All extensions, in encoded order. Each identifier occurs once.
  package var extensions: [CertificateExtension] { content.extensions }

  /// Returns the extension with this identifier, or `nil`.
  package func `extension`(_ identifier: DERObjectIdentifier) -> CertificateExtension? {
    content.extensions.first(identifier)
  }

  /// Whether the subject may issue certificates, and the path length limit; `nil` if the certificate lacks the
  /// extension.
  package var basicConstraints: BasicConstraints? { content.basicConstraints }

  /// Whether the certificate declares its subject a certificate authority.
  package var isCertificateAuthority: Bool { content.basicConstraints?.isAuthority ?? false }

  /// The permitted uses of the key; `nil` if the certificate does not restrict them.
  package var keyUsage: KeyUsage? { content.keyUsage }

  /// The permitted purposes of the key; `nil` if the certificate does not restrict them.
  package var extendedKeyUsages: [DERObjectIdentifier]? { content.extendedKeyUsages }

  /// The subject alternative name extension, not parsed.
  package var subjectAlternativeName: CertificateExtension? { self.extension(.subjectAlternativeName) }

  /// The identifier of the subject's key; `nil` if it is missing or malformed.
  package var subjectKeyIdentifier: Bytes? {
    guard let value = self.extension(.subjectKeyIdentifier)?.value else { return nil }
    return try? DERReader.parse(value) { (reader) throws(WireError) in try reader.readOctetString() }
  }

  // AuthorityKeyIdentifier ::= SEQUENCE {                                                     (RFC 5280 §4.2.1.1)
  //   keyIdentifier             [0] IMPLICIT OCTET STRING OPTIONAL,
  //   authorityCertIssuer       [1] IMPLICIT GeneralNames OPTIONAL,
  //   authorityCertSerialNumber [2] IMPLICIT INTEGER OPTIONAL }

  /// The identifier of the issuer's key; `nil` if it is missing or malformed.
  package var authorityKeyIdentifier: Bytes? {
    guard let value = self.extension(.authorityKeyIdentifier)?.value else { return nil }
    let identifier = try? DERReader.parse(value) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        let identifier = try reader.readOptional(.context(0))
        _ = try reader.readOptional(.contextConstructed(1))
        _ = try reader.readOptional(.context(2))
        return identifier?.content
      }
    }
    return identifier ?? nil
  }
}

// ExtKeyUsageSyntax ::= SEQUENCE SIZE (1..MAX) OF OBJECT IDENTIFIER                               (RFC 5280 §4.2.1.12)

extension CertificateExtension {
  func readExtendedKeyUsages() throws(WireError) -> [DERObjectIdentifier] {
    try DERReader.parse(value) { (reader) throws(WireError) in
      try reader.readSequenceOf { (reader) throws(WireError) in try reader.readObjectIdentifier() }
    }
  }
}

// BasicConstraints ::= SEQUENCE {                                                              (RFC 5280 §4.2.1.9)
//   cA                BOOLEAN DEFAULT FALSE,
//   pathLenConstraint INTEGER (0..MAX) OPTIONAL }

/// Whether a subject may issue certificates, and how many authorities may be between it and a leaf.
package struct BasicConstraints: Hashable, Sendable {
  /// Whether the subject may issue certificates.
  package let isAuthority: Bool

  /// The maximum number of authorities below it; `nil` if unlimited.
  package let pathLength: Int?

  init(of extension: CertificateExtension) throws(WireError) {
    (isAuthority, pathLength) = try DERReader.parse(`extension`.value) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        let isAuthority = try reader.readOptional(.boolean) { (reader) throws(WireError) in
          try reader.readLenientBoolean()
        }
        let pathLength = try reader.readOptional(.integer) { (reader) throws(WireError) in try reader.readUInt64() }
        return (isAuthority ?? false, pathLength.map(Int.init(clamping:)))
      }
    }
  }
}

// KeyUsage ::= BIT STRING { digitalSignature(0), nonRepudiation(1), keyEncipherment(2),        (RFC 5280 §4.2.1.3)
//   dataEncipherment(3), keyAgreement(4), keyCertSign(5), cRLSign(6), encipherOnly(7), decipherOnly(8) }

/// The permitted uses of a certificate's key.
package struct KeyUsage: OptionSet, Hashable, Sendable {
  /// The bits; the first bit of the BIT STRING is the lowest.
  package let rawValue: UInt16

  /// Creates a set from bits; the first bit of the BIT STRING is the lowest.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Signing data other than certificates and revocation lists.
  package static let digitalSignature = Self(rawValue: 1 << 0)
  /// Non-repudiation, now called contentCommitment in X.509.
  package static let nonRepudiation = Self(rawValue: 1 << 1)
  /// Encrypting keys.
  package static let keyEncipherment = Self(rawValue: 1 << 2)
  /// Encrypting data.
  package static let dataEncipherment = Self(rawValue: 1 << 3)
  /// Agreeing on keys.
  package static let keyAgreement = Self(rawValue: 1 << 4)
  /// Signing certificates.
  package static let certificateSigning = Self(rawValue: 1 << 5)
  /// Signing revocation lists.
  package static let revocationListSigning = Self(rawValue: 1 << 6)
  /// Only encrypting with an agreed key.
  package static let encipherOnly = Self(rawValue: 1 << 7)
  /// Only decrypting with an agreed key.
  package static let decipherOnly = Self(rawValue: 1 << 8)

  init(of extension: CertificateExtension) throws(WireError) {
    let bits = try DERReader.parse(`extension`.value) { (reader) throws(WireError) in try reader.readBitString() }
    rawValue = (0..<9).reduce(0) { bits[$1] ? $0 | 1 << $1 : $0 }
  }
}
