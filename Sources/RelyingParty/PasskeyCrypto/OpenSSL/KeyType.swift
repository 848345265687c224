// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE

/// A key type, as libcrypto distinguishes them.
enum KeyType: Sendable {
  case ellipticCurve(EllipticCurve)
  case raw(RawKeyType)
  case rsa

  /// Returns the key type of a signature algorithm; `nil` for others.
  init?(_ algorithm: COSEAlgorithm) {
    guard let definition = algorithm.definition else { return nil }
    switch definition.scheme {
    case .ecdsa:
      guard let curve = definition.curve.flatMap(EllipticCurve.init) else { return nil }
      self = .ellipticCurve(curve)
    case .eddsa, .mlDSA:
      guard let raw = RawKeyType(algorithm) else { return nil }
      self = .raw(raw)
    case .rsaPKCS1, .rsaPSS:
      self = .rsa
    case .keyAgreement:
      return nil
    }
  }

  init?(_ material: COSEKey.Material) {
    switch material {
    case .ec2(let curve, _, _):
      guard let curve = EllipticCurve(curve) else { return nil }
      self = .ellipticCurve(curve)
    case .okp(let curve, _):
      guard let raw = RawKeyType(curve) else { return nil }
      self = .raw(raw)
    case .rsa:
      self = .rsa
    case .akp(let publicKey):
      guard let raw = RawKeyType(mlDSAPublicKeyByteCount: publicKey.count) else { return nil }
      self = .raw(raw)
    }
  }

  /// Whether keys of this type can be used. Builds of libcrypto differ in curves; ML-DSA has a built-in implementation.
  var isAvailable: Bool {
    switch self {
    case .ellipticCurve(let curve): Self.availableCurves.contains(curve)
    case .raw(let type): type.mlDSAParameters != nil || Self.availableRawTypes.contains(type)
    case .rsa: true
    }
  }

  /// Whether the running libcrypto has every parameter set of ML-DSA.
  static var libcryptoHasMLDSA: Bool { availableRawTypes.isSuperset(of: [.mlDSA44, .mlDSA65, .mlDSA87]) }

  private static let availableCurves = Set(EllipticCurve.allCases.filter { (curve) in (try? CurveGroup(curve)) != nil })

  private static let availableRawTypes = Set(
    RawKeyType.allCases.filter { (type) in
      LibCrypto.start()
      guard let found = unsafe EVP_SIGNATURE_fetch(nil, type.name, nil) else {
        LibCrypto.clearErrors()
        return false
      }
      unsafe EVP_SIGNATURE_free(found)
      return true
    })
}
