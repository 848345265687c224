// SPDX-License-Identifier: Apache-2.0

public import WireFormats

// Extension ::= SEQUENCE {                                                                          (RFC 5280 §4.1)
//   extnID    OBJECT IDENTIFIER,
//   critical  BOOLEAN DEFAULT FALSE,
//   extnValue OCTET STRING }

/// An extension of a certificate or of a revocation list.
public struct CertificateExtension: Hashable, Sendable {
  /// Which extension it is.
  public let identifier: ObjectIdentifier

  /// Whether who does not understand it must refuse the certificate.
  public let isCritical: Bool

  /// The value: for most extensions one DER element.
  public let value: Bytes

  /// Puts an extension together, for a certificate that is to be made.
  public init(_ identifier: ObjectIdentifier, isCritical: Bool = false, value: Bytes) {
    self.identifier = identifier
    self.isCritical = isCritical
    self.value = value
  }

  /// The most extensions that a list may have.
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
  func first(_ identifier: ObjectIdentifier) -> CertificateExtension? {
    first { $0.identifier == identifier }
  }

  /// RFC 5280 §4.2: no extension comes twice.
  func checkUniqueness() throws(CryptoError) {
    var rest = self[...]
    while let next = rest.popFirst() {
      guard !rest.contains(where: { $0.identifier == next.identifier }) else {
        throw CryptoError(.certificateDuplicateExtension, "\(next.identifier)")
      }
    }
  }
}

// RFC 5280 §4.2.1
extension ObjectIdentifier {
  /// id-ce-subjectKeyIdentifier
  public static let subjectKeyIdentifier: Self = [2, 5, 29, 14]
  /// id-ce-keyUsage
  public static let keyUsage: Self = [2, 5, 29, 15]
  /// id-ce-subjectAltName
  public static let subjectAlternativeName: Self = [2, 5, 29, 17]
  /// id-ce-basicConstraints
  public static let basicConstraints: Self = [2, 5, 29, 19]
  /// id-ce-nameConstraints
  public static let nameConstraints: Self = [2, 5, 29, 30]
  /// id-ce-cRLDistributionPoints
  public static let revocationListDistributionPoints: Self = [2, 5, 29, 31]
  /// id-ce-certificatePolicies
  public static let certificatePolicies: Self = [2, 5, 29, 32]
  /// id-ce-policyMappings
  public static let policyMappings: Self = [2, 5, 29, 33]
  /// id-ce-authorityKeyIdentifier
  public static let authorityKeyIdentifier: Self = [2, 5, 29, 35]
  /// id-ce-extKeyUsage
  public static let extendedKeyUsage: Self = [2, 5, 29, 37]
  /// id-ce-inhibitAnyPolicy
  public static let inhibitAnyPolicy: Self = [2, 5, 29, 54]
}
