// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

extension COSEKey {
  /// Parses a SubjectPublicKeyInfo for one algorithm, whose key type and curve must match.
  ///
  /// - Throws: `crypto.malformed-key` or `crypto.key-mismatch`.
  package init(subjectPublicKeyInfo: some ByteSource, algorithm: COSEAlgorithm) throws(PasskeyCryptoError) {
    let subjectPublicKeyInfo = subjectPublicKeyInfo.slice
    let material = try Material(subjectPublicKeyInfo: subjectPublicKeyInfo)
    self = try mapError(COSEKey(algorithm: algorithm, material: material)) { (error: COSEError) in
      PasskeyCryptoError(.keyMismatch, "\(error)")
    }
  }

  /// The key as a DER SubjectPublicKeyInfo, as in certificates and WebAuthn's `getPublicKey()`.
  ///
  /// - Throws: `crypto.unsupported-algorithm` for a key type that this form does not have.
  package var subjectPublicKeyInfo: [UInt8] {
    get throws(PasskeyCryptoError) {
      guard let encoding = material.subjectPublicKeyInfo else {
        throw PasskeyCryptoError(.unsupportedAlgorithm, "\(algorithm)")
      }
      return encoding
    }
  }
}

// A key is accepted only if encoding it again gives the same bytes. This rejects compressed points, explicit curve
// parameters, missing or extra parameters, and trailing bytes.

extension COSEKey.Material {
  /// Parses a SubjectPublicKeyInfo.
  ///
  /// - Throws: `crypto.malformed-key` for an unknown key type or an encoding that is not the canonical one.
  package init(subjectPublicKeyInfo: some ByteSource) throws(PasskeyCryptoError) {
    let subjectPublicKeyInfo = subjectPublicKeyInfo.slice
    guard let info = try? SubjectPublicKeyInfo(der: subjectPublicKeyInfo), let material = Self.candidate(info),
      let written = material.subjectPublicKeyInfo, written.elementsEqual(subjectPublicKeyInfo)
    else {
      throw PasskeyCryptoError(.malformedKey, "unknown key type or non-canonical encoding")
    }
    self = material
  }

  /// Returns the only key that the encoding can represent.
  private static func candidate(_ info: SubjectPublicKeyInfo) -> Self? {
    switch info.algorithm.algorithm {
    case .ecPublicKey:
      guard let curve = EllipticCurve.allCases.first(where: { $0.matches(info.algorithm.parameters) }) else {
        return nil
      }
      let (x, y) = (info.key.dropLast(curve.byteCount), info.key.suffix(curve.byteCount))
      return .ec2(curve: curve.coseCurve, x: x.suffix(curve.byteCount), y: y)
    case .rsaEncryption: return try? rsa(info.key)
    case let algorithm:
      guard let type = RawKeyType.allCases.first(where: { $0.objectIdentifier == algorithm }) else { return nil }
      guard let curve = type.coseCurve else { return .akp(publicKey: info.key) }
      return info.key.count == curve.byteCount ? .okp(curve: curve, x: info.key) : nil
    }
  }

  // RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }                         (RFC 8017 §A.1.1)

  private static func rsa(_ key: Bytes) throws(WireError) -> Self {
    try DERReader.parse(key) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        .rsa(modulus: try reader.readUnsignedInteger(), exponent: try reader.readUnsignedInteger())
      }
    }
  }

  /// The DER encoding; `nil` for unknown key types.
  fileprivate var subjectPublicKeyInfo: [UInt8]? {
    guard let type = KeyType(self) else { return nil }
    var writer = DERWriter()
    writer.writeSequence { (writer) in
      writer.writeSequence { (writer) in type.writeAlgorithm(to: &writer) }
      writer.writeBitString(octets)
    }
    return writer.bytes
  }

  /// The content of the BIT STRING.
  private var octets: [UInt8] {
    switch self {
    case .ec2(_, let x, let y): return [0x04] + x + y
    case .okp(_, let publicKey), .akp(let publicKey): return Array(publicKey)
    case .rsa(let modulus, let exponent):
      var writer = DERWriter()
      writer.writeSequence { (writer) in
        writer.writeInteger(magnitude: modulus)
        writer.writeInteger(magnitude: exponent)
      }
      return writer.bytes
    }
  }
}

extension KeyType {
  /// Writes the content of an AlgorithmIdentifier: RFC 5480 §2.1.1 names the curve, RFC 8017 §A.1 has a NULL, and RFC
  /// 8410 §3 and RFC 9881 §2 have no parameters.
  func writeAlgorithm(to writer: inout DERWriter) {
    switch self {
    case .ellipticCurve(let curve):
      writer.writeObjectIdentifier(.ecPublicKey)
      writer.writeObjectIdentifier(curve.objectIdentifier)
    case .raw(let type):
      writer.writeObjectIdentifier(type.objectIdentifier)
    case .rsa:
      writer.writeObjectIdentifier(.rsaEncryption)
      writer.writeNull()
    }
  }
}

extension EllipticCurve {
  fileprivate func matches(_ parameters: DERElement?) -> Bool {
    parameters?.tag == .objectIdentifier && parameters?.content == objectIdentifier.encoded
  }

  /// RFC 5480 §2.1.1.1 and SEC 2 §A.2.
  fileprivate var objectIdentifier: DERObjectIdentifier {
    switch self {
    case .p256: [1, 2, 840, 10045, 3, 1, 7]
    case .p384: [1, 3, 132, 0, 34]
    case .p521: [1, 3, 132, 0, 35]
    case .secp256k1: [1, 3, 132, 0, 10]
    }
  }
}

extension RawKeyType {
  /// RFC 8410 §3 and RFC 9881 §2.
  var objectIdentifier: DERObjectIdentifier {
    switch self {
    case .ed25519: [1, 3, 101, 112]
    case .ed448: [1, 3, 101, 113]
    case .mlDSA44: [2, 16, 840, 1, 101, 3, 4, 3, 17]
    case .mlDSA65: [2, 16, 840, 1, 101, 3, 4, 3, 18]
    case .mlDSA87: [2, 16, 840, 1, 101, 3, 4, 3, 19]
    }
  }
}

extension DERObjectIdentifier {
  fileprivate static let ecPublicKey: Self = [1, 2, 840, 10045, 2, 1]
  fileprivate static let rsaEncryption: Self = [1, 2, 840, 113549, 1, 1, 1]
}
