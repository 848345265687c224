// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension COSEKey {
  /// The key in CTAP2 canonical CBOR, with only the required parameters (WebAuthn §6.5.1.1).
  package var encoded: [UInt8] {
    guard case .ec2(let curve, let x, let y) = material else { return CBORWriter.bytes(of: tree) }
    // Fast path for the key type of nearly every credential.
    var writer = CBORWriter(capacity: 16 + x.count + y.count)
    writer.writeMap(keyedBy: CBORKey.self) { (map) in
      map.write(.integer(COSEKeyLabel.keyType), integer: material.keyType.rawValue)
      map.write(.integer(COSEKeyLabel.algorithm), integer: algorithm.rawValue)
      map.write(.integer(COSEKeyLabel.curve), integer: curve.rawValue)
      map.write(.integer(COSEKeyLabel.x), bytes: x)
      map.write(.integer(COSEKeyLabel.y), bytes: y)
    }
    return writer.bytes
  }

  /// The key as a CBOR item, to embed in another item.
  package var tree: CBORTree {
    var parameters: [CBORKey: CBORTree] = [
      .integer(COSEKeyLabel.keyType): .integer(material.keyType.rawValue),
      .integer(COSEKeyLabel.algorithm): .integer(algorithm.rawValue),
    ]
    switch material {
    case .ec2(let curve, let x, let y):
      parameters[.integer(COSEKeyLabel.curve)] = .integer(curve.rawValue)
      parameters[.integer(COSEKeyLabel.x)] = .bytes([UInt8](x))
      parameters[.integer(COSEKeyLabel.y)] = .bytes([UInt8](y))
    case .okp(let curve, let x):
      parameters[.integer(COSEKeyLabel.curve)] = .integer(curve.rawValue)
      parameters[.integer(COSEKeyLabel.x)] = .bytes([UInt8](x))
    case .rsa(let modulus, let exponent):
      parameters[.integer(COSEKeyLabel.rsaModulus)] = .bytes([UInt8](modulus))
      parameters[.integer(COSEKeyLabel.rsaExponent)] = .bytes([UInt8](exponent))
    case .akp(let publicKey):
      parameters[.integer(COSEKeyLabel.akpPublicKey)] = .bytes([UInt8](publicKey))
    }
    return .map(parameters)
  }
}
