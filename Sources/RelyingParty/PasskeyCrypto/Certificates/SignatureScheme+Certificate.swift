// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

// SIGNED{ToBeSigned} ::= SEQUENCE {                                                       (RFC 5280 §4.1 and §5.1)
//   toBeSigned         ToBeSigned,
//   signatureAlgorithm AlgorithmIdentifier,
//   signatureValue     BIT STRING }

/// The signature on a certificate or revocation list, and the signed bytes.
struct CertificateSignature: Sendable {
  /// The signed element, as encoded.
  let signedBytes: Bytes

  /// The signature algorithm.
  let algorithm: AlgorithmIdentifier

  /// The signature.
  let value: Bytes

  /// Parses the outer structure and returns the signed element without parsing it.
  static func parse(_ der: Bytes) throws(WireError) -> (signed: DERElement, signature: Self) {
    try DERReader.parse(der) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        let signed = try reader.read(.sequence)
        let algorithm = try AlgorithmIdentifier(reading: &reader)
        // Every signature has whole octets. Early Yubico U2F certificates have a wrong count of unused bits. The
        // signature does not cover the count, so it is ignored.
        let bits = try reader.read(.bitString)
        guard !bits.content.isEmpty else { throw WireError(.derInvalidBitString, at: bits.encoded.startIndex) }
        return (signed, Self(signedBytes: signed.encoded, algorithm: algorithm, value: bits.content.dropFirst()))
      }
    }
  }
}

extension COSEAlgorithm.SignatureScheme {
  /// Returns the scheme of a signature algorithm of certificates; `nil` if unsupported.
  init?(certificateAlgorithm identifier: AlgorithmIdentifier) {
    if identifier.algorithm == .rsaPSS {
      guard let hash = try? identifier.readPSSHash() else { return nil }
      self = .rsaPSS(hash)
      return
    }
    guard let row = Self.certificateAlgorithms[identifier.algorithm] else { return nil }
    // Parameters are NULL or absent, depending on the algorithm (RFC 4055 §5, RFC 5758 §3.2, RFC 8410 §3, RFC 9881 §2).
    // Both are accepted for all algorithms, since neither carries information.
    guard identifier.parameters.map({ $0.tag == .null && $0.content.isEmpty }) ?? true else { return nil }
    self = row
  }

  /// Whether the scheme uses SHA-1, for which collisions are affordable.
  var usesSHA1: Bool {
    switch self {
    case .ecdsa(.sha1), .rsaPKCS1(.sha1), .rsaPSS(.sha1): true
    default: false
    }
  }

  private static let certificateAlgorithms: [DERObjectIdentifier: Self] = [
    // ANSI X9.62
    [1, 2, 840, 10045, 4, 1]: .ecdsa(.sha1),
    [1, 2, 840, 10045, 4, 3, 2]: .ecdsa(.sha256),
    [1, 2, 840, 10045, 4, 3, 3]: .ecdsa(.sha384),
    [1, 2, 840, 10045, 4, 3, 4]: .ecdsa(.sha512),
    // PKCS #1
    [1, 2, 840, 113549, 1, 1, 5]: .rsaPKCS1(.sha1),
    [1, 2, 840, 113549, 1, 1, 11]: .rsaPKCS1(.sha256),
    [1, 2, 840, 113549, 1, 1, 12]: .rsaPKCS1(.sha384),
    [1, 2, 840, 113549, 1, 1, 13]: .rsaPKCS1(.sha512),
    // RFC 8410: Ed25519 and Ed448
    [1, 3, 101, 112]: .eddsa,
    [1, 3, 101, 113]: .eddsa,
    // RFC 9881: ML-DSA-44, -65 and -87
    [2, 16, 840, 1, 101, 3, 4, 3, 17]: .mlDSA,
    [2, 16, 840, 1, 101, 3, 4, 3, 18]: .mlDSA,
    [2, 16, 840, 1, 101, 3, 4, 3, 19]: .mlDSA,
  ]
}

// RSASSA-PSS-params ::= SEQUENCE {                                                                 (RFC 4055 §3.1)
//   hashAlgorithm    [0] EXPLICIT AlgorithmIdentifier DEFAULT sha1,
//   maskGenAlgorithm [1] EXPLICIT AlgorithmIdentifier DEFAULT mgf1SHA1,
//   saltLength       [2] EXPLICIT INTEGER DEFAULT 20,
//   trailerField     [3] EXPLICIT INTEGER DEFAULT 1 }

extension AlgorithmIdentifier {
  /// Returns the hash of the supported RSASSA-PSS parameters: MGF1 with the same hash and a salt of its length.
  fileprivate func readPSSHash() throws(WireError) -> COSEHash? {
    try parameters?.readContent { (reader) throws(WireError) in
      let hash = try reader.readOptionalExplicit(0) { (reader) throws(WireError) in
        try AlgorithmIdentifier(reading: &reader).hash
      }
      let maskHash = try reader.readOptionalExplicit(1) { (reader) throws(WireError) in
        try AlgorithmIdentifier(reading: &reader).readMaskHash()
      }
      let saltLength = try reader.readOptionalExplicit(2) { (reader) throws(WireError) in try reader.readUInt64() }
      let trailer = try reader.readOptionalExplicit(3) { (reader) throws(WireError) in try reader.readUInt64() }
      guard let hash, let hash, maskHash == hash, saltLength == UInt64(hash.byteCount), trailer ?? 1 == 1 else {
        return nil
      }
      return hash
    }
  }

  /// Returns the hash in id-mgf1 parameters.
  private func readMaskHash() throws(WireError) -> COSEHash? {
    guard algorithm == [1, 2, 840, 113549, 1, 1, 8], let parameters else { return nil }
    return try DERReader.parse(parameters.encoded) { (reader) throws(WireError) in
      try AlgorithmIdentifier(reading: &reader).hash
    }
  }

  private var hash: COSEHash? {
    switch algorithm {
    case [2, 16, 840, 1, 101, 3, 4, 2, 1]: .sha256
    case [2, 16, 840, 1, 101, 3, 4, 2, 2]: .sha384
    case [2, 16, 840, 1, 101, 3, 4, 2, 3]: .sha512
    default: nil
    }
  }
}

extension DERObjectIdentifier {
  fileprivate static let rsaPSS: Self = [1, 2, 840, 113549, 1, 1, 10]
}
