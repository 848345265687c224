// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// SIGNED{ToBeSigned} ::= SEQUENCE {                                                       (RFC 5280 §4.1 and §5.1)
//   toBeSigned         ToBeSigned,
//   signatureAlgorithm AlgorithmIdentifier,
//   signatureValue     BIT STRING }

/// An issuer's signature on a certificate or a revocation list, and the bytes that it covers.
struct CertificateSignature: Sendable {
  /// The element that is signed, as it stands in the input.
  let signedBytes: Bytes

  /// How it is signed.
  let algorithm: AlgorithmIdentifier

  /// The signature.
  let value: Bytes

  /// Reads the frame around what is signed, which is handed back unread.
  static func parse(_ der: Bytes) throws(WireError) -> (signed: DERElement, signature: Self) {
    try DERReader.parse(der) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        let signed = try reader.read(.sequence)
        let algorithm = try AlgorithmIdentifier(reading: &reader)
        // Every signature is a whole number of octets. Early Yubico U2F certificates count unused bits where there are
        // none; the count is outside of what is signed, so that nothing depends on believing it.
        let bits = try reader.read(.bitString)
        guard !bits.content.isEmpty else { throw WireError(.derInvalidBitString, at: bits.encoded.startIndex) }
        return (signed, Self(signedBytes: signed.encoded, algorithm: algorithm, value: bits.content.dropFirst()))
      }
    }
  }
}
