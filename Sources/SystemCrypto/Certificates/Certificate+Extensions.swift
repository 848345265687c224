// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension Certificate {
  /// Every extension, in the certificate's order. There are no two of one kind.
  public var extensions: [CertificateExtension] { content.extensions }

  /// The extension with this identifier.
  public func `extension`(_ identifier: ObjectIdentifier) -> CertificateExtension? {
    content.extensions.first(identifier)
  }

  /// Whether the subject may issue certificates, and how long a path may follow.
  public var basicConstraints: BasicConstraints? { content.basicConstraints }

  /// Whether the certificate says of its subject that it may issue certificates.
  public var isCertificateAuthority: Bool { content.basicConstraints?.isAuthority ?? false }

  /// What the key is for; nil where the certificate does not say.
  public var keyUsage: KeyUsage? { content.keyUsage }

  /// The purposes that the key is for; nil where the certificate does not say.
  public var extendedKeyUsages: [ObjectIdentifier]? { content.extendedKeyUsages }

  /// The subject's other names, not read further.
  public var subjectAlternativeName: CertificateExtension? { self.extension(.subjectAlternativeName) }

  /// The issuer's name for the subject's key; nil where there is none, or none that can be read.
  public var subjectKeyIdentifier: Bytes? {
    guard let value = self.extension(.subjectKeyIdentifier)?.value else { return nil }
    return try? DERReader.parse(value) { (reader) throws(WireError) in try reader.readOctetString() }
  }

  // AuthorityKeyIdentifier ::= SEQUENCE {                                                     (RFC 5280 §4.2.1.1)
  //   keyIdentifier             [0] IMPLICIT OCTET STRING OPTIONAL,
  //   authorityCertIssuer       [1] IMPLICIT GeneralNames OPTIONAL,
  //   authorityCertSerialNumber [2] IMPLICIT INTEGER OPTIONAL }

  /// The issuer's name for its own key; nil where there is none, or none that can be read.
  public var authorityKeyIdentifier: Bytes? {
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
  func readExtendedKeyUsages() throws(WireError) -> [ObjectIdentifier] {
    try DERReader.parse(value) { (reader) throws(WireError) in
      try reader.readSequenceOf { (reader) throws(WireError) in try reader.readObjectIdentifier() }
    }
  }
}
