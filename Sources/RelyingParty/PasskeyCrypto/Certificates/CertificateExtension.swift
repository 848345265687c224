// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// Extension ::= SEQUENCE {                                                                          (RFC 5280 §4.1)
//   extnID    OBJECT IDENTIFIER,
//   critical  BOOLEAN DEFAULT FALSE,
//   extnValue OCTET STRING }

/// An extension of a certificate or revocation list.
package struct CertificateExtension: Hashable, Sendable {
  /// The type of the extension.
  package let identifier: DERObjectIdentifier

  /// Whether a verifier that does not support the extension must reject the certificate.
  package let isCritical: Bool

  /// The value: one DER element in most extensions.
  package let value: Bytes

  /// Creates an extension for a certificate to be issued.
  package init(_ identifier: DERObjectIdentifier, isCritical: Bool = false, value: some ByteSource) {
    let value = value.slice
    self.identifier = identifier
    self.isCritical = isCritical
    self.value = value
  }

  /// The maximum number of extensions.
  static let maximumCount = 32

  static func readList(_ reader: inout DERReader) throws(WireError) -> [CertificateExtension] {
    let start = reader.offset
    let extensions = try reader.readSequenceOf { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        CertificateExtension(
          try reader.readObjectIdentifier(),
          isCritical: try reader.readOptional(.boolean) { (reader) throws(WireError) in
            try reader.readLenientBoolean()
          } ?? false,
          value: try reader.readOctetString())
      }
    }
    guard extensions.count <= maximumCount else { throw WireError(.derLengthExceedsInput, at: start) }
    return extensions
  }
}

extension [CertificateExtension] {
  func first(_ identifier: DERObjectIdentifier) -> CertificateExtension? {
    first { $0.identifier == identifier }
  }

  /// Checks that no extension occurs twice (RFC 5280 §4.2).
  func checkUniqueness() throws(PasskeyCryptoError) {
    var rest = self[...]
    while let next = rest.popFirst() {
      guard !rest.contains(where: { $0.identifier == next.identifier }) else {
        throw PasskeyCryptoError(.certificateDuplicateExtension, "\(next.identifier)")
      }
    }
  }
}

// RFC 5280 §4.2.1
extension DERObjectIdentifier {
  /// id-ce-subjectKeyIdentifier
  package static let subjectKeyIdentifier: Self = [2, 5, 29, 14]
  /// id-ce-keyUsage
  package static let keyUsage: Self = [2, 5, 29, 15]
  /// id-ce-subjectAltName
  package static let subjectAlternativeName: Self = [2, 5, 29, 17]
  /// id-ce-basicConstraints
  package static let basicConstraints: Self = [2, 5, 29, 19]
  /// id-ce-nameConstraints
  package static let nameConstraints: Self = [2, 5, 29, 30]
  /// id-ce-cRLDistributionPoints
  package static let revocationListDistributionPoints: Self = [2, 5, 29, 31]
  /// id-ce-certificatePolicies
  package static let certificatePolicies: Self = [2, 5, 29, 32]
  /// id-ce-policyMappings
  package static let policyMappings: Self = [2, 5, 29, 33]
  /// id-ce-authorityKeyIdentifier
  package static let authorityKeyIdentifier: Self = [2, 5, 29, 35]
  /// id-ce-extKeyUsage
  package static let extendedKeyUsage: Self = [2, 5, 29, 37]
  /// id-ce-inhibitAnyPolicy
  package static let inhibitAnyPolicy: Self = [2, 5, 29, 54]
}
