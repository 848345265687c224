// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

// TBSCertList ::= SEQUENCE {                                                                      (RFC 5280 §5.1)
//   version             INTEGER (v2),
//   signature           AlgorithmIdentifier,
//   issuer              Name,
//   thisUpdate          Time,
//   nextUpdate          Time OPTIONAL,
//   revokedCertificates SEQUENCE OF SEQUENCE { userCertificate INTEGER, revocationDate Time } OPTIONAL }

/// An unsigned certificate revocation list.
package struct RevocationListMaker: Sendable {
  /// The issuer's name.
  package var issuer: CertificateName

  /// The times of this update and the next.
  package var validity: ClosedRange<UnixTime>

  /// The serial numbers of the revoked certificates. Their revocation date is the time of this update.
  package var serialNumbers: [[UInt8]]

  /// Creates an unsigned list.
  package init(issuer: CertificateName, validity: ClosedRange<UnixTime>, serialNumbers: [[UInt8]]) {
    self.issuer = issuer
    self.validity = validity
    self.serialNumbers = serialNumbers
  }

  /// Returns the list in DER, signed by the issuer's key.
  ///
  /// - Throws: `crypto.library-failure`.
  package func list(
    signedBy key: SigningKey, _ signing: SigningMode = .randomized
  ) throws(PasskeyCryptoError) -> [UInt8] {
    try key.signedStructure(signing) { (writer) throws(PasskeyCryptoError) in
      writer.writeInteger(1)
      writer.write(encoded: try key.algorithm.certificateAlgorithm)
      issuer.write(to: &writer)
      try mapError(writeUpdates(to: &writer)) { (error: WireError) in PasskeyCryptoError(.invalidParameter, error) }
    }
  }

  private func writeUpdates(to writer: inout DERWriter) throws(WireError) {
    try writer.writeTime(validity.lowerBound)
    try writer.writeTime(validity.upperBound)
    guard !serialNumbers.isEmpty else { return }
    try writer.writeSequence { (writer) throws(WireError) in
      for serialNumber in serialNumbers {
        try writer.writeSequence { (writer) throws(WireError) in
          writer.writeInteger(magnitude: serialNumber)
          try writer.writeTime(validity.lowerBound)
        }
      }
    }
  }
}
