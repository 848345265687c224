// SPDX-License-Identifier: Apache-2.0

internal import PasskeyMLDSA

/// An implementation of ML-DSA. Both accept the same keys and signatures.
package enum MLDSAImplementation: String, Sendable {
  /// libcrypto's, which OpenSSL has since version 3.5.
  case libcrypto
  /// The one of this package.
  case builtIn = "built-in"

  /// The implementation that this process uses: libcrypto's if it has every parameter set, otherwise the built-in one.
  package static let current: MLDSAImplementation = KeyType.libcryptoHasMLDSA ? .libcrypto : .builtIn
}

extension RawKeyType {
  /// The parameter set of ML-DSA; `nil` for other key types.
  var mlDSAParameters: ParameterSet? {
    switch self {
    case .ed25519, .ed448: nil
    case .mlDSA44: .mlDSA44
    case .mlDSA65: .mlDSA65
    case .mlDSA87: .mlDSA87
    }
  }

  /// The parameter set of a key type that the built-in implementation serves; `nil` if libcrypto does.
  var builtInParameters: ParameterSet? {
    MLDSAImplementation.current == .builtIn ? mlDSAParameters : nil
  }
}

extension PasskeyCryptoError {
  /// Wraps an error of the built-in implementation.
  init(mlDSA error: MLDSAError) {
    switch error {
    case .invalidKey: self.init(.invalidKey, "ML-DSA")
    case .invalidSignature: self.init(.invalidSignature)
    case .invalidParameter: self.init(.invalidParameter, "ML-DSA")
    case .attemptsExhausted: self.init(.libraryFailure, "ML-DSA found no signature")
    }
  }
}
