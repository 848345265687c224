// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

// Extension ::= SEQUENCE {                                                                          (RFC 5280 §4.1)
//   extnID    OBJECT IDENTIFIER,
//   critical  BOOLEAN DEFAULT FALSE,
//   extnValue OCTET STRING }

/// An extension of a certificate or revocation list.
public struct CertificateExtension: Hashable, Sendable {
  /// The type of the extension.
  public let identifier: DERObjectIdentifier

  /// Whether a verifier that does not support the extension must reject the certificate.
  public let isCritical: Bool

  /// The value: one DER element in most extensions.
  public let value: Bytes

  /// Creates an extension for a certificate to be issued.
  public init(_ identifier: DERObjectIdentifier, isCritical: Bool = false, value: Bytes) {
    self.identifier = identifier
    self.isCritical = isCritical
    self.value = value
  }

  /// Creates an extension for a certificate to be issued.
  @inlinable
  public init(_ identifier: DERObjectIdentifier, isCritical: Bool = false, value: some Collection<UInt8>) {
    self.init(identifier, isCritical: isCritical, value: Bytes(value))
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
extension DERObjectIdentifier {
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
