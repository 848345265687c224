// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE

/// The signature algorithms that this build supports, most preferred first.
///
/// Write `PasskeyCrypto.supportedAlgorithms` outside this module. The running libcrypto is queried once: some builds lack a
/// curve or SHA-1. ML-DSA is always supported; ``MLDSAImplementation`` says by which code. The list includes
/// ``/PasskeyCOSE/COSEAlgorithm/rs1`` for TPM attestation, which is never offered for credentials.
package let supportedAlgorithms: [COSEAlgorithm] = COSEAlgorithm.knownSignatureAlgorithms.filter { (algorithm) in
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
    guard definition != nil, !supportedAlgorithms.contains(self) else { return nil }
    return "this system's libcrypto lacks \(self)"
  }

  /// The definition of an algorithm that this build supports.
  var supportedDefinition: Definition {
    get throws(PasskeyCryptoError) {
      guard let definition, supportedAlgorithms.contains(self) else {
        throw PasskeyCryptoError(.unsupportedAlgorithm, description)
      }
      return definition
    }
  }
}
