// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Makes keys of one type from the numbers that they are made of.
///
/// Kept by a thread: looking the type up by name costs more than making an RSA key with it.
@safe final class KeyImporter {
  private let pointer: OpaquePointer

  /// An importer of the type that libcrypto calls `type`.
  init(_ type: String) throws(CryptoError) {
    unsafe pointer = try LibCrypto.require(
      unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil), .unsupportedAlgorithm, type)
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  /// Which part of a key is given.
  enum Part {
    /// The curve alone.
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

  func makeKey(_ part: Part, of parameters: consuming KeyParameters) throws(CryptoError) -> KeyHandle {
    try LibCrypto.require(unsafe EVP_PKEY_fromdata_init(pointer))
    var key: OpaquePointer?
    let status = parameters.withPointer { (list) in
      unsafe EVP_PKEY_fromdata(pointer, &key, part.selection, list)
    }
    try LibCrypto.require(status, .invalidKey)
    return KeyHandle(owning: LibCrypto.allocated(key))
  }
}
