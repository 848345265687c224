// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

// PrivateKeyInfo ::= SEQUENCE { version INTEGER, AlgorithmIdentifier, privateKey OCTET STRING, … }       (RFC 5958 §2)

/// The algorithm of a PKCS#8 private key, for formats that do not name it.
enum PrivateKeyInfo {
  /// Returns the most common signature algorithm for the key's type; nil if the type is unknown or the key malformed.
  static func algorithm(of key: SecretBytes) -> COSEAlgorithm? {
    key.withBytes { (bytes) in
      try? DERReader.parse(bytes) { (reader) throws(WireError) in
        try reader.readSequence { (info) throws(WireError) in
          _ = try info.readUInt64()
          let algorithm = try info.readSequence { (identifier) throws(WireError) in try Self.algorithm(&identifier) }
          while !info.isAtEnd { _ = try info.readElement() }
          return algorithm
        }
      }
    }
  }

  /// Returns whether an importer that sees only the key produces valid signatures for a credential with `algorithm`.
  static func determines(_ algorithm: COSEAlgorithm, _ key: SecretBytes) -> Bool {
    guard let assumed = Self.algorithm(of: key) else { return false }
    return assumed == algorithm || names[algorithm] == assumed
  }

  /// Algorithms that sign like another one under a second name.
  private static let names: [COSEAlgorithm: COSEAlgorithm] = [
    .esp256: .es256, .esp384: .es384, .esp512: .es512, .ed25519: .eddsa,
  ]

  private static func algorithm(_ identifier: inout DERReader) throws(WireError) -> COSEAlgorithm? {
    let type = try identifier.readObjectIdentifier()
    let algorithm = type == ellipticCurve ? curves[try identifier.readObjectIdentifier()] : types[type]
    while !identifier.isAtEnd { _ = try identifier.readElement() }
    return algorithm
  }

  private static let ellipticCurve: DERObjectIdentifier = [1, 2, 840, 10045, 2, 1]

  private static let curves: [DERObjectIdentifier: COSEAlgorithm] = [
    [1, 2, 840, 10045, 3, 1, 7]: .es256, [1, 3, 132, 0, 34]: .es384, [1, 3, 132, 0, 35]: .es512,
    [1, 3, 132, 0, 10]: .es256k,
  ]

  private static let types: [DERObjectIdentifier: COSEAlgorithm] = [
    [1, 2, 840, 113549, 1, 1, 1]: .rs256, [1, 3, 101, 112]: .eddsa, [1, 3, 101, 113]: .ed448,
    [2, 16, 840, 1, 101, 3, 4, 3, 17]: .mlDSA44, [2, 16, 840, 1, 101, 3, 4, 3, 18]: .mlDSA65,
    [2, 16, 840, 1, 101, 3, 4, 3, 19]: .mlDSA87,
  ]
}
