// SPDX-License-Identifier: Apache-2.0

public import COSE

/// The signature algorithms that the running libcrypto supports, most preferred first.
///
/// Write `SystemCrypto.supportedAlgorithms` outside this module. The library is queried once: ML-DSA requires OpenSSL
/// 3.5, and some builds lack a curve or SHA-1. The list includes ``/COSE/COSEAlgorithm/rs1`` for TPM attestation, which
/// is never offered for credentials.
/// them, since attestation by TPMs needs it; a credential is never offered it.
public let supportedAlgorithms: [COSEAlgorithm] = COSEAlgorithm.knownSignatureAlgorithms.filter { (algorithm) in
  guard let definition = algorithm.definition, let type = KeyType(algorithm), type.isAvailable else { return false }
  return definition.scheme.digestIsAvailable
}

extension COSEAlgorithm.SignatureScheme {
  /// The hash of the message that the scheme signs; `nil` for schemes that sign the message.
  var hash: COSEHash? {
    switch self {
    case .ecdsa(let hash), .rsaPKCS1(let hash), .rsaPSS(let hash): hash
    case .eddsa, .mlDSA, .keyAgreement: nil
    }
  }

  fileprivate var digestIsAvailable: Bool {
    guard let hash else { return true }
    return (try? MessageDigest.kept(hash)) != nil
  }
}

extension COSEAlgorithm {
  /// The reason why the running libcrypto cannot use the algorithm; `nil` if it can or if the algorithm is unknown.
  package var unsupportedReason: String? {
    guard let definition, !supportedAlgorithms.contains(self) else { return nil }
    return definition.scheme == .mlDSA
      ? "\(self) needs libcrypto 3.5 or newer" : "this system's libcrypto lacks \(self)"
  }

  /// The definition of an algorithm that the running libcrypto supports.
  var supportedDefinition: Definition {
    get throws(CryptoError) {
      guard let definition, supportedAlgorithms.contains(self) else {
        throw CryptoError(.unsupportedAlgorithm, description)
      }
      return definition
    }
  }
}
