// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// TBSCertList ::= SEQUENCE {                                                                        (RFC 5280 §5.1)
//   version                 INTEGER { v2(1) } OPTIONAL,
//   signature               AlgorithmIdentifier,
//   issuer                  Name,
//   thisUpdate              Time,
//   nextUpdate              Time OPTIONAL,
//   revokedCertificates     SEQUENCE OF SEQUENCE {
//     userCertificate         INTEGER,
//     revocationDate          Time,
//     crlEntryExtensions      SEQUENCE OF Extension OPTIONAL } OPTIONAL,
//   crlExtensions       [0] EXPLICIT SEQUENCE OF Extension OPTIONAL }

/// The signed content of a revocation list.
struct TBSCertList {
  let signatureAlgorithm: AlgorithmIdentifier
  let issuer: DistinguishedName
  let thisUpdate: UnixTime
  let nextUpdate: UnixTime?
  let revoked: [Bytes: RevocationList.Revocation]
  let number: Bytes?

  /// The first unsupported extension of the list or an entry: a critical one, or one that marks a list as partial or as
  /// about certificates of other issuers. These must be critical (RFC 5280 §5.2.4, §5.2.5, §5.3.3); some authorities forget it.
  let unsupportedExtension: DERObjectIdentifier?

  /// Reads the content of the SEQUENCE.
  init(reading reader: inout DERReader) throws(WireError) {
    let start = reader.offset
    let version = try reader.readOptional(.integer) { (reader) throws(WireError) in try reader.readUInt64() }
    guard version ?? 1 == 1 else { throw WireError(.derIntegerOutOfRange, at: start) }
    signatureAlgorithm = try AlgorithmIdentifier(reading: &reader)
    issuer = try DistinguishedName(reading: &reader)
    thisUpdate = try reader.readTime()
    nextUpdate = try reader.readOptionalTime()

    var unsupported: DERObjectIdentifier?
    var revoked: [Bytes: RevocationList.Revocation] = [:]
    if let entries = try reader.readOptional(.sequence) {
      try entries.readContent { (reader) throws(WireError) in
        while !reader.isAtEnd {
          let (serialNumber, revocation, found) = try Self.readEntry(&reader)
          revoked[serialNumber] = revocation
          unsupported = unsupported ?? found
        }
      }
    }
    let extensions =
      try reader.readOptionalExplicit(0) { (reader) throws(WireError) in
        try CertificateExtension.readList(&reader)
      } ?? []
    number = try extensions.first(.revocationListNumber).map { (extension) throws(WireError) in
      try DERReader.parse(`extension`.value) { (reader) throws(WireError) in try reader.readUnsignedInteger() }
    }
    self.revoked = revoked
    unsupportedExtension =
      unsupported ?? extensions.firstUnsupported(except: [.revocationListNumber, .authorityKeyIdentifier])
  }

  private static func readEntry(
    _ reader: inout DERReader
  ) throws(WireError) -> (Bytes, RevocationList.Revocation, DERObjectIdentifier?) {
    try reader.readSequence { (reader) throws(WireError) in
      let serialNumber = try reader.readInteger()
      let date = try reader.readTime()
      let extensions = reader.isAtEnd ? [] : try CertificateExtension.readList(&reader)
      let reason = try extensions.first(.revocationReason).map { (extension) throws(WireError) in
        try DERReader.parse(`extension`.value) { (reader) throws(WireError) in try reader.readEnumerated() }
      }
      return (
        serialNumber, RevocationList.Revocation(date: date, reason: reason),
        extensions.firstUnsupported(except: [.revocationReason])
      )
    }
  }
}

extension [CertificateExtension] {
  fileprivate func firstUnsupported(except handled: [DERObjectIdentifier]) -> DERObjectIdentifier? {
    let partial: [DERObjectIdentifier] = [.deltaListIndicator, .issuingDistributionPoint, .certificateIssuer]
    return first { partial.contains($0.identifier) || $0.isCritical && !handled.contains($0.identifier) }?.identifier
  }
}

// RFC 5280 §5.2.3 to §5.2.5, §5.3.1 and §5.3.3
extension DERObjectIdentifier {
  fileprivate static let revocationListNumber: Self = [2, 5, 29, 20]
  fileprivate static let deltaListIndicator: Self = [2, 5, 29, 27]
  fileprivate static let issuingDistributionPoint: Self = [2, 5, 29, 28]
  fileprivate static let revocationReason: Self = [2, 5, 29, 21]
  fileprivate static let certificateIssuer: Self = [2, 5, 29, 29]
}
