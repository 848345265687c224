// SPDX-License-Identifier: Apache-2.0

public import COSE

/// The signature algorithms that the running libcrypto can verify and sign with, the preferred ones first.
///
/// Read from outside as `SystemCrypto.supportedAlgorithms`. It is found out once, by asking the library for each of
/// them: ML-DSA came with OpenSSL 3.5, and some builds leave out a curve or SHA-1. ``/COSE/COSEAlgorithm/rs1`` is among
/// them, since attestation by TPMs needs it; a credential is never offered it.
public let supportedAlgorithms: [COSEAlgorithm] = COSEAlgorithm.knownSignatureAlgorithms.filter { (algorithm) in
  guard let definition = algorithm.definition, let type = KeyType(algorithm), type.isAvailable else { return false }
  return definition.scheme.digestIsAvailable
}

extension COSEAlgorithm.SignatureScheme {
  /// The hash that is taken of a message before it is signed, where one is.
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
  /// Why the running libcrypto cannot use the algorithm; nil where it can, or where nobody knows the algorithm.
  package var unsupportedReason: String? {
    guard let definition, !supportedAlgorithms.contains(self) else { return nil }
    return definition.scheme == .mlDSA
      ? "\(self) needs libcrypto 3.5 or newer" : "this system's libcrypto does not have \(self)"
  }

  /// The definition of an algorithm that can be verified and signed with here.
  var supportedDefinition: Definition {
    get throws(CryptoError) {
      guard let definition, supportedAlgorithms.contains(self) else {
        throw CryptoError(.unsupportedAlgorithm, description)
      }
      return definition
    }
  }
}
