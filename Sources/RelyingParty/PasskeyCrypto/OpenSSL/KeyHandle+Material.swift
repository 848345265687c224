// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

extension KeyHandle {
  /// Creates a public key. Checks that a point is on its curve.
  static func publicKey(_ material: COSEKey.Material) throws(PasskeyCryptoError) -> KeyHandle {
    switch (material, KeyType(material)) {
    case (.ec2(_, let x, let y), .ellipticCurve(let curve)?):
      return try publicKey(curve, x: x, y: y)
    case (.okp(_, let publicKey), .raw(let type)?), (.akp(let publicKey), .raw(let type)?):
      return try KeyHandle(type, publicKey: publicKey)
    case (.rsa(let modulus, let exponent), _):
      var parameters = KeyParameters()
      parameters.add("n", number: BigNumber(modulus))
      parameters.add("e", number: BigNumber(exponent))
      return try ThreadWorkspace.current.keyImporter("RSA").makeKey(.publicKey, of: parameters)
    default:
      throw PasskeyCryptoError(.unsupportedAlgorithm, "\(material.keyType)")
    }
  }

  static func publicKey(_ curve: EllipticCurve, x: Bytes, y: Bytes) throws(PasskeyCryptoError) -> KeyHandle {
    var parameters = KeyParameters()
    parameters.add("group", text: curve.groupName)
    parameters.add("pub", octets: try curve.uncompressedPoint(x: x, y: y))
    return try ThreadWorkspace.current.keyImporter("EC").makeKey(.publicKey, of: parameters)
  }

  /// The public key as data.
  func material(_ type: KeyType) throws(PasskeyCryptoError) -> COSEKey.Material {
    switch type {
    case .ellipticCurve(let curve):
      // All keys of this module have uncompressed points.
      let point = try octets("pub", count: 1 + 2 * curve.byteCount)
      guard point.first == 0x04 else {
        throw PasskeyCryptoError(.libraryFailure, "libcrypto returned a compressed point")
      }
      return .ec2(
        curve: curve.coseCurve, x: point.dropFirst().prefix(curve.byteCount), y: point.suffix(curve.byteCount))
    case .raw(let type):
      let publicKey = try octets("pub")[...]
      return type.coseCurve.map { (curve) in .okp(curve: curve, x: publicKey) } ?? .akp(publicKey: publicKey)
    case .rsa:
      return .rsa(modulus: try number("n").bytes[...], exponent: try number("e").bytes[...])
    }
  }
}

extension EllipticCurve {
  /// Returns an uncompressed point (SEC 1 §2.3.3).
  func uncompressedPoint(x: some ByteSource, y: some ByteSource) throws(PasskeyCryptoError) -> [UInt8] {
    guard x.count == byteCount, y.count == byteCount else {
      throw PasskeyCryptoError(.invalidKey, "a coordinate has the wrong length")
    }
    return [0x04] + x + y
  }
}

/// Creates keys of one type from their numbers.
///
/// Each thread keeps one, because finding the type by name costs more than creating an RSA key.
@safe final class KeyImporter {
  private let pointer: OpaquePointer

  /// Creates an importer for a key type, by libcrypto's name.
  init(_ type: String) throws(PasskeyCryptoError) {
    unsafe pointer = try LibCrypto.require(
      unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil), .unsupportedAlgorithm, type)
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  /// The part of a key that is imported.
  enum Part {
    /// Only the curve.
    case parameters
    case publicKey
    case privateKey

    fileprivate var selection: CInt {
      switch self {
      case .parameters: EVP_PKEY_KEY_PARAMETERS
      case .publicKey: passkey_select_public_key
      case .privateKey: passkey_select_key_pair
      }
    }
  }

  func makeKey(_ part: Part, of parameters: consuming KeyParameters) throws(PasskeyCryptoError) -> KeyHandle {
    try LibCrypto.require(unsafe EVP_PKEY_fromdata_init(pointer))
    var key: OpaquePointer?
    let status = parameters.withPointer { (list) in
      unsafe EVP_PKEY_fromdata(pointer, &key, part.selection, list)
    }
    try LibCrypto.require(status, .invalidKey)
    return KeyHandle(owning: LibCrypto.allocated(key))
  }
}
