// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// TBSCertificate ::= SEQUENCE {                                                                     (RFC 5280 §4.1)
//   version         [0] EXPLICIT INTEGER { v1(0), v2(1), v3(2) } DEFAULT v1,
//   serialNumber        INTEGER,
//   signature           AlgorithmIdentifier,
//   issuer              Name,
//   validity            SEQUENCE { notBefore Time, notAfter Time },
//   subject             Name,
//   subjectPublicKeyInfo SubjectPublicKeyInfo,
//   issuerUniqueID  [1] IMPLICIT BIT STRING OPTIONAL,
//   subjectUniqueID [2] IMPLICIT BIT STRING OPTIONAL,
//   extensions      [3] EXPLICIT SEQUENCE OF Extension OPTIONAL }

/// The signed content of a certificate.
struct TBSCertificate: Sendable {
  let version: Int
  let serialNumber: Bytes
  let signatureAlgorithm: AlgorithmIdentifier
  let issuer: DistinguishedName
  let notBefore: UnixTime
  let notAfter: UnixTime
  let subject: DistinguishedName
  let subjectPublicKeyInfo: SubjectPublicKeyInfo
  let extensions: [CertificateExtension]

  // Extensions used in validation are parsed immediately, so that a certificate with a malformed one is rejected.
  let basicConstraints: BasicConstraints?
  let keyUsage: KeyUsage?
  let extendedKeyUsages: [DERObjectIdentifier]?

  /// Reads the content of the SEQUENCE.
  init(reading reader: inout DERReader) throws(WireError) {
    let start = reader.offset
    let versionNumber =
      try reader.readOptionalExplicit(0) { (reader) throws(WireError) in try reader.readUInt64() } ?? 0
    guard versionNumber <= 2 else { throw WireError(.derIntegerOutOfRange, at: start) }
    version = Int(versionNumber) + 1
    serialNumber = try reader.readInteger()
    signatureAlgorithm = try AlgorithmIdentifier(reading: &reader)
    issuer = try DistinguishedName(reading: &reader)
    (notBefore, notAfter) = try reader.readSequence { (reader) throws(WireError) in
      (try reader.readTime(), try reader.readTime())
    }
    subject = try DistinguishedName(reading: &reader)
    subjectPublicKeyInfo = try SubjectPublicKeyInfo(reading: &reader)
    _ = try reader.readOptional(.context(1))
    _ = try reader.readOptional(.context(2))
    extensions =
      try reader.readOptionalExplicit(3) { (reader) throws(WireError) in
        try CertificateExtension.readList(&reader)
      } ?? []
    basicConstraints = try extensions.first(.basicConstraints).map(BasicConstraints.init(of:))
    keyUsage = try extensions.first(.keyUsage).map(KeyUsage.init(of:))
    extendedKeyUsages = try extensions.first(.extendedKeyUsage)?.readExtendedKeyUsages()
  }

  /// Checks the requirements of RFC 5280 that the grammar does not express.
  func checkConsistency(with signature: CertificateSignature) throws(PasskeyCryptoError) {
    // §4.1.1.2: the signed algorithm identifier equals the outer one.
    guard signatureAlgorithm == signature.algorithm else {
      throw PasskeyCryptoError(.certificateMalformed, "inner and outer signature algorithms differ")
    }
    // §4.1.2.9: only version 3 has extensions.
    guard extensions.isEmpty || version == 3 else {
      throw PasskeyCryptoError(.certificateMalformed, "extensions in version \(version)")
    }
    try extensions.checkUniqueness()
  }
}
