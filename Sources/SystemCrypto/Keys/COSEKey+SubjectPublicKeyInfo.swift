// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

extension COSEKey {
  /// The key of a certificate or of a PEM file, for exactly one algorithm: its type and curve must be the algorithm's.
  public init(subjectPublicKeyInfo: Bytes, algorithm: COSEAlgorithm) throws(CryptoError) {
    let material = try Material(subjectPublicKeyInfo: subjectPublicKeyInfo)
    do throws(COSEError) {
      try self.init(algorithm: algorithm, material: material)
    } catch {
      throw CryptoError(.keyMismatch, "\(error)")
    }
  }

  /// The key in the form that certificates and WebAuthn's `getPublicKey()` have it in, DER.
  public var subjectPublicKeyInfo: [UInt8] {
    get throws(CryptoError) {
      guard let encoding = SubjectPublicKeyInfo.write(material) else {
        throw CryptoError(.unsupportedAlgorithm, "\(algorithm)")
      }
      return encoding
    }
  }
}

extension COSEKey.Material {
  /// The key of a certificate or of a PEM file.
  public init(subjectPublicKeyInfo: Bytes) throws(CryptoError) {
    guard let material = SubjectPublicKeyInfo.read(subjectPublicKeyInfo) else {
      throw CryptoError(.malformedKey, "not the one encoding of a key of a known type")
    }
    self = material
  }
}

// RFC 5280 §4.1.2.7
//
//   SubjectPublicKeyInfo ::= SEQUENCE {
//     algorithm         AlgorithmIdentifier,
//     subjectPublicKey  BIT STRING }
//
// How long the whole is tells which key it is, and where in it; it is accepted when writing that key gives exactly the
// bytes that were read. What is refused by that, on purpose: compressed points, curves written out as parameters, lengths
// that are not minimal, anything behind the end, and every other type of key.

private enum SubjectPublicKeyInfo {
  static func read(_ bytes: Bytes) -> COSEKey.Material? {
    // Two bytes hold every length that is written here.
    guard bytes.count < 0x1_0000, let material = candidate(bytes), let written = write(material), written[...] == bytes
    else { return nil }
    return material
  }

  static func write(_ material: COSEKey.Material) -> [UInt8]? {
    switch material {
    case .ec2(let curve, let x, let y):
      curveIdentifier(curve).map { write(sequence(ecPublicKey + $0), [0x04] + x + y) }
    case .okp(let curve, let x):
      edwardsIdentifier(curve).map { write(sequence($0), Array(x)) }
    case .rsa(let modulus, let exponent):
      write(sequence(rsaEncryption + [0x05, 0x00]), sequence(integer(modulus) + integer(exponent)))
    case .akp(let publicKey):
      mlDSAIdentifier(byteCount: publicKey.count).map { write(sequence($0), Array(publicKey)) }
    }
  }

  private static func write(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
    sequence(algorithm + element(0x03, [0x00] + key))
  }

  /// The only key that these bytes can be.
  private static func candidate(_ bytes: Bytes) -> COSEKey.Material? {
    switch bytes.count {
    case 91: point(.p256, 32, bytes)
    case 120: point(.p384, 48, bytes)
    case 158: point(.p521, 66, bytes)
    case 88: point(.secp256k1, 32, bytes)
    case 44: .okp(curve: .ed25519, x: bytes.suffix(32))
    case 69: .okp(curve: .ed448, x: bytes.suffix(57))
    case 1334: .akp(publicKey: bytes.suffix(1312))
    case 1974: .akp(publicKey: bytes.suffix(1952))
    case 2614: .akp(publicKey: bytes.suffix(2592))
    default: rsaCandidate(bytes)
    }
  }

  private static func point(_ curve: COSECurve, _ byteCount: Int, _ bytes: Bytes) -> COSEKey.Material {
    .ec2(curve: curve, x: bytes.dropLast(byteCount).suffix(byteCount), y: bytes.suffix(byteCount))
  }

  /// Every length up to the modulus takes three bytes, for moduli of the sizes that are accepted at all.
  private static func rsaCandidate(_ bytes: Bytes) -> COSEKey.Material? {
    var reader = ByteReader(bytes)
    do throws(WireError) {
      _ = try reader.read(4 + 15 + 5 + 4 + 2)  // SEQUENCE, AlgorithmIdentifier, BIT STRING, SEQUENCE, INTEGER
      let modulus = try reader.read(Int(reader.readUInt16()))
      _ = try reader.read(2)  // INTEGER
      return .rsa(modulus: unsigned(modulus), exponent: unsigned(reader.readRest()))
    } catch {
      return nil
    }
  }

  private static func unsigned(_ integer: Bytes) -> Bytes {
    integer.first == 0 ? integer.dropFirst() : integer
  }
}

// MARK: Object identifiers, with their heads

/// 1.2.840.10045.2.1
private let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
/// 1.2.840.113549.1.1.1
private let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]

/// RFC 5480 §2.1.1.1.
private func curveIdentifier(_ curve: COSECurve) -> [UInt8]? {
  switch curve {
  case .p256: [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]  // 1.2.840.10045.3.1.7
  case .p384: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22]  // 1.3.132.0.34
  case .p521: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23]  // 1.3.132.0.35
  case .secp256k1: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a]  // 1.3.132.0.10
  default: nil
  }
}

/// RFC 8410 §3.
private func edwardsIdentifier(_ curve: COSECurve) -> [UInt8]? {
  switch curve {
  case .ed25519: [0x06, 0x03, 0x2b, 0x65, 0x70]  // 1.3.101.112
  case .ed448: [0x06, 0x03, 0x2b, 0x65, 0x71]  // 1.3.101.113
  default: nil
  }
}

/// RFC 9881 §2, by the length of the public key (FIPS 204, table 2).
private func mlDSAIdentifier(byteCount: Int) -> [UInt8]? {
  let arc: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03]  // 2.16.840.1.101.3.4.3
  return switch byteCount {
  case 1312: arc + [0x11]
  case 1952: arc + [0x12]
  case 2592: arc + [0x13]
  default: nil
  }
}

// MARK: The little DER that it takes

private func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

private func integer(_ number: Bytes) -> [UInt8] {
  element(0x02, (number.first ?? 0) & 0x80 == 0 ? Array(number) : [0x00] + number)
}

private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
  let length: [UInt8] =
    switch content.count {
    case ..<0x80: [UInt8(truncatingIfNeeded: content.count)]
    case ..<0x100: [0x81, UInt8(truncatingIfNeeded: content.count)]
    default: [0x82, UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)]
    }
  return [tag] + length + content
}
