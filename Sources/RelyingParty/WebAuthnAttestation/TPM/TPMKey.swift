// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

// parameters and unique of TPMT_PUBLIC                                       (TPM 2.0 Library, part 2, §12.2.3.5 f.)
//
// TPMS_RSA_PARMS                           TPMS_ECC_PARMS
//   symmetric TPMT_SYM_DEF_OBJECT+           symmetric TPMT_SYM_DEF_OBJECT+
//   scheme    TPMT_RSA_SCHEME+               scheme    TPMT_ECC_SCHEME+
//   keyBits   2 bytes                        curveID   2 bytes
//   exponent  4 bytes                        kdf       TPMT_KDF_SCHEME+
// unique: TPM2B modulus                    unique: TPM2B x, TPM2B y

/// The key, without its purpose.
enum TPMKey {
  case rsa(modulus: Bytes, exponent: UInt32)
  case ecc(curve: COSECurve, x: Bytes, y: Bytes)

  private static let typeRSA: UInt16 = 0x0001
  private static let typeECC: UInt16 = 0x0023
  /// The exponent that 0 represents (§12.2.3.5).
  private static let defaultExponent: UInt32 = 65537

  init(reading reader: inout ByteReader, type: UInt16) throws(WireError) {
    let start = reader.offset
    try reader.skipSymmetric()
    try reader.skipScheme()
    switch type {
    case Self.typeRSA:
      _ = try reader.readUInt16()
      let exponent = try reader.readUInt32()
      self = .rsa(modulus: try reader.readSized(), exponent: exponent == 0 ? Self.defaultExponent : exponent)
    case Self.typeECC:
      let curve = COSECurve(tpmCurve: try reader.readUInt16())
      try reader.skipScheme()
      self = .ecc(curve: curve, x: try reader.readSized(), y: try reader.readSized())
    default: throw WireError(.bytesTrailing, at: start)
    }
  }

  /// Whether this is the given key. Compares numbers, because TPMs write coordinates with or without leading zeros.
  func isSame(as key: COSEKey.Material) -> Bool {
    switch (self, key) {
    case (.rsa(let modulus, let exponent), .rsa(let otherModulus, let otherExponent)):
      modulus.magnitude == otherModulus.magnitude
        && UInt64(exponent) == otherExponent.reduce(0) { $0 &<< 8 | UInt64($1) }
    case (.ecc(let curve, let x, let y), .ec2(let otherCurve, let otherX, let otherY)):
      curve == otherCurve && x.magnitude == otherX.magnitude && y.magnitude == otherY.magnitude
    default: false
    }
  }
}

extension Bytes {
  /// The number without leading zeros.
  fileprivate var magnitude: Bytes { drop { $0 == 0 } }
}

extension ByteReader {
  private static let algorithmNull: UInt16 = 0x0010
  private static let algorithmRSAES: UInt16 = 0x0015
  private static let algorithmECDAA: UInt16 = 0x001a

  /// TPMT_SYM_DEF_OBJECT: an algorithm, followed by a key length and a mode unless the algorithm is null.
  fileprivate mutating func skipSymmetric() throws(WireError) {
    if try readUInt16() != Self.algorithmNull { _ = try read(4) }
  }

  /// TPMT_RSA_SCHEME, TPMT_ECC_SCHEME and TPMT_KDF_SCHEME: a scheme and its parameters.
  fileprivate mutating func skipScheme() throws(WireError) {
    switch try readUInt16() {
    case Self.algorithmNull, Self.algorithmRSAES: return
    case Self.algorithmECDAA: _ = try read(4)  // a hash and a count
    default: _ = try readUInt16()  // a hash
    }
  }
}

extension COSECurve {
  /// The curve with this number in the TCG registry, or a reserved one that no COSE key has.
  fileprivate init(tpmCurve: UInt16) {
    switch tpmCurve {
    case 0x0003: self = .p256
    case 0x0004: self = .p384
    case 0x0005: self = .p521
    default: self = COSECurve(rawValue: 0)
    }
  }
}
