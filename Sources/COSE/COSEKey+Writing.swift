// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension COSEKey {
  /// The key as CTAP2 canonical CBOR, with the parameters that it needs and no others (WebAuthn §6.5.1.1).
  public var encoded: [UInt8] {
    guard case .ec2(let curve, let x, let y) = material else { return CBORWriter.bytes(of: tree) }
    // The key that nearly every credential has, without a detour.
    var writer = CBORWriter(capacity: 16 + x.count + y.count)
    writer.beginMap(5)
    writer.write(integer: COSEKeyLabel.keyType)
    writer.write(integer: material.keyType.rawValue)
    writer.write(integer: COSEKeyLabel.algorithm)
    writer.write(integer: algorithm.rawValue)
    writer.write(integer: COSEKeyLabel.curve)
    writer.write(integer: curve.rawValue)
    writer.write(integer: COSEKeyLabel.x)
    writer.write(bytes: x)
    writer.write(integer: COSEKeyLabel.y)
    writer.write(bytes: y)
    return writer.bytes
  }

  /// The key as an item to be written inside another.
  public var tree: CBORTree {
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
