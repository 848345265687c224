// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// Checks that algorithm, key type, curve and lengths match.
//
// Limits:
//   modulus:  2,048 to 8,192 bits [smaller moduli are insecure, larger ones slow down the verifier; the test vector of
//   the
//                                  standard has 3,482]
//   exponent: odd, 3 to 2^32 − 1  [larger exponents slow down the verifier; even ones are invalid]

private let modulusByteCounts = 256...1024
private let exponentByteCounts = 1...4

extension COSEKey {
  static func checkShape(of material: Material, for algorithm: COSEAlgorithm) throws(COSEError) {
    guard let definition = algorithm.definition else {
      throw COSEError(.unknownAlgorithm, label: COSEKeyLabel.algorithm)
    }
    guard definition.keyType == material.keyType else { throw COSEError(.keyTypeMismatch, label: COSEKeyLabel.keyType) }
    guard definition.curve == material.curve else { throw COSEError(.curveMismatch, label: COSEKeyLabel.curve) }
    switch material {
    case .ec2(let curve, let x, let y):
      try require(x, label: COSEKeyLabel.x, is: curve.byteCount)
      try require(y, label: COSEKeyLabel.y, is: curve.byteCount)
    case .okp(let curve, let x):
      try require(x, label: COSEKeyLabel.x, is: curve.byteCount)
      try checkPoint(x, on: curve)
    case .rsa(let modulus, let exponent):
      try checkRSA(modulus: modulus, exponent: exponent)
    case .akp(let publicKey):
      try require(publicKey, label: COSEKeyLabel.akpPublicKey, is: algorithm.mlDSAPublicKeyByteCount)
    }
  }

  private static func require(_ bytes: Bytes, label: Int64, is byteCount: Int?) throws(COSEError) {
    guard bytes.count == byteCount else { throw COSEError(.invalidLength, label: label, at: bytes.startIndex) }
  }

  private static func checkPoint(_ x: Bytes, on curve: COSECurve) throws(COSEError) {
    guard let point = EdwardsPoint(x, on: curve) else { return }
    guard point.isCanonical else { throw COSEError(.nonCanonicalPoint, label: COSEKeyLabel.x, at: x.startIndex) }
    guard !point.hasSmallOrder else { throw COSEError(.smallOrderPoint, label: COSEKeyLabel.x, at: x.startIndex) }
  }

  private static func checkRSA(modulus: Bytes, exponent: Bytes) throws(COSEError) {
    // RFC 8230 §4 requires the fewest octets. Modulus and exponent of an RSA key are odd.
    guard modulusByteCounts.contains(modulus.count), modulus.first != 0, isOdd(modulus) else {
      throw COSEError(.invalidModulus, label: COSEKeyLabel.rsaModulus, at: modulus.startIndex)
    }
    guard exponentByteCounts.contains(exponent.count), exponent.first != 0, isOdd(exponent), exponent != [1] else {
      throw COSEError(.invalidExponent, label: COSEKeyLabel.rsaExponent, at: exponent.startIndex)
    }
  }

  private static func isOdd(_ number: Bytes) -> Bool {
    (number.last ?? 0) & 1 == 1
  }
}

extension COSEKey.Material {
  /// The key type.
  package var keyType: COSEKeyType {
    switch self {
    case .ec2: .ec2
    case .okp: .okp
    case .rsa: .rsa
    case .akp: .akp
    }
  }

  /// The curve; `nil` for key types without curves.
  package var curve: COSECurve? {
    switch self {
    case .ec2(let curve, _, _), .okp(let curve, _): curve
    case .rsa, .akp: nil
    }
  }
}

extension COSEAlgorithm {
  /// FIPS 204, table 2.
  fileprivate var mlDSAPublicKeyByteCount: Int? {
    switch self {
    case .mlDSA44: 1312
    case .mlDSA65: 1952
    case .mlDSA87: 2592
    default: nil
    }
  }
}
