// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

extension SigningKey {
  /// Returns SEQUENCE { content, signatureAlgorithm, signature BIT STRING }, the structure of certificates and
  /// revocation lists (RFC 5280 §4.1.1 and §5.1.1).
  func signedStructure(
    _ signing: SigningMode, _ content: (inout DERWriter) throws(PasskeyCryptoError) -> Void
  ) throws(PasskeyCryptoError) -> [UInt8] {
    var inside = DERWriter()
    try inside.writeSequence(content)
    let algorithm = try self.algorithm.certificateAlgorithm
    let signature = try sign(inside.bytes, signing)
    var writer = DERWriter()
    writer.writeSequence { (writer) in
      writer.write(encoded: inside.bytes)
      writer.write(encoded: algorithm)
      writer.writeBitString(signature)
    }
    return writer.bytes
  }
}

extension COSEAlgorithm {
  /// The AlgorithmIdentifier of this algorithm's signatures. RSASSA-PKCS1-v1_5 has NULL parameters (RFC 4055 §5), the
  /// others omit them (RFC 5758 §3.2, RFC 8410 §3, RFC 9881 §2).
  var certificateAlgorithm: [UInt8] {
    get throws(PasskeyCryptoError) {
      guard let identifier = certificateAlgorithmIdentifier else {
        throw PasskeyCryptoError(.unsupportedAlgorithm, "certificates signed with \(self)")
      }
      var writer = DERWriter()
      writer.writeSequence { (writer) in
        writer.writeObjectIdentifier(identifier)
        if case .rsaPKCS1? = definition?.scheme { writer.writeNull() }
      }
      return writer.bytes
    }
  }

  private var certificateAlgorithmIdentifier: DERObjectIdentifier? {
    switch (definition?.scheme, self) {
    case (.ecdsa(.sha256)?, _): [1, 2, 840, 10045, 4, 3, 2]
    case (.ecdsa(.sha384)?, _): [1, 2, 840, 10045, 4, 3, 3]
    case (.ecdsa(.sha512)?, _): [1, 2, 840, 10045, 4, 3, 4]
    case (.rsaPKCS1(.sha1)?, _): [1, 2, 840, 113549, 1, 1, 5]
    case (.rsaPKCS1(.sha256)?, _): [1, 2, 840, 113549, 1, 1, 11]
    case (.rsaPKCS1(.sha384)?, _): [1, 2, 840, 113549, 1, 1, 12]
    case (.rsaPKCS1(.sha512)?, _): [1, 2, 840, 113549, 1, 1, 13]
    case (_, .ed448): [1, 3, 101, 113]
    case (.eddsa?, _): [1, 3, 101, 112]
    case (_, .mlDSA44): [2, 16, 840, 1, 101, 3, 4, 3, 17]
    case (_, .mlDSA65): [2, 16, 840, 1, 101, 3, 4, 3, 18]
    case (_, .mlDSA87): [2, 16, 840, 1, 101, 3, 4, 3, 19]
    default: nil
    }
  }
}
