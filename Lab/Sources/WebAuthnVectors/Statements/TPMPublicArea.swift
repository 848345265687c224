// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator

// TPMT_PUBLIC                                                                       (TPM 2.0 Library, part 2, §12.2.4)
//   type             TPMI_ALG_PUBLIC   2 bytes
//   nameAlg          TPMI_ALG_HASH     2
//   objectAttributes TPMA_OBJECT       4
//   authPolicy       TPM2B_DIGEST
//   parameters       TPMS_RSA_PARMS { symmetric, scheme, keyBits, exponent }
//                    or TPMS_ECC_PARMS { symmetric, scheme, curveID, kdf }
//   unique           TPM2B modulus, or TPM2B x and TPM2B y

/// The public area of a TPM key.
enum TPMPublicArea {
  private static let typeRSA: UInt16 = 0x0001
  private static let typeECC: UInt16 = 0x0023
  fileprivate static let algorithmSHA256: UInt16 = 0x000b
  fileprivate static let algorithmNull: UInt16 = 0x0010
  /// The attributes of a key that may only sign.
  fileprivate static let attributeSign: UInt32 = 1 << 18
  /// The exponent 65537, which TPMs encode as 0.
  private static let defaultExponent: UInt32 = 0

  /// Returns the public area of a credential key. Throws if TPMs do not support its type.
  static func bytes(of key: COSEKey) throws(PasskeyCryptoError) -> [UInt8] {
    var writer = ByteWriter()
    switch key.material {
    case .rsa(let modulus, let exponent):
      guard exponent.elementsEqual([1, 0, 1]) else {
        throw PasskeyCryptoError(.keyMismatch, "an exponent other than 65537")
      }
      writer.writeBeginning(typeRSA)
      writer.write(UInt16(clamping: modulus.count * 8))
      writer.write(defaultExponent)
      writer.writeSized(modulus)
    case .ec2(let curve, let x, let y):
      guard let number = curve.tpmNumber else { throw PasskeyCryptoError(.keyMismatch, "TPMs do not support \(curve)") }
      writer.writeBeginning(typeECC)
      writer.write(number)
      writer.write(algorithmNull)
      writer.writeSized(x)
      writer.writeSized(y)
    case .okp, .akp: throw PasskeyCryptoError(.keyMismatch, "TPMs do not support \(key.algorithm)")
    }
    return writer.bytes
  }

  /// Returns the name of the key with this public area (part 1, §16).
  static func name(of publicArea: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(algorithmSHA256)
    writer.write(Digest.sha256(publicArea[...]))
    return writer.bytes
  }
}

extension ByteWriter {
  /// Writes the fields from the type to the scheme: no policy, no symmetric algorithm, any scheme.
  fileprivate mutating func writeBeginning(_ type: UInt16) {
    write(type)
    write(TPMPublicArea.algorithmSHA256)
    write(TPMPublicArea.attributeSign)
    writeSized([])
    write(TPMPublicArea.algorithmNull)
    write(TPMPublicArea.algorithmNull)
  }
}

extension COSECurve {
  /// The curve's identifier in the TCG's registry.
  fileprivate var tpmNumber: UInt16? {
    switch self {
    case .p256: 0x0003
    case .p384: 0x0004
    case .p521: 0x0005
    default: nil
    }
  }
}
