// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL

/// The minimum OpenSSL work of a device: generate a P-256 key, or sign a digest with an existing one. The contexts are reused.
@safe final class RawKeyMaking {
  struct Refused: Error {}

  private let generation: OpaquePointer
  private let key: OpaquePointer
  private let context: OpaquePointer
  private let digest = [UInt8](repeating: 7, count: 32)
  private var signature = [UInt8](repeating: 0, count: 72)

  init() throws {
    guard let generation = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil),
      unsafe EVP_PKEY_keygen_init(generation) == 1,
      unsafe EVP_PKEY_CTX_set_group_name(generation, "P-256") == 1
    else { throw Refused() }
    unsafe self.generation = generation
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_generate(generation, &key) == 1, let key = unsafe key,
      let context = unsafe EVP_PKEY_CTX_new(key, nil), unsafe EVP_PKEY_sign_init(context) == 1
    else { throw Refused() }
    unsafe self.key = key
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(context)
    unsafe EVP_PKEY_free(key)
    unsafe EVP_PKEY_CTX_free(generation)
  }

  /// Generates a key and signs once.
  func generateAndSign() throws {
    var made: OpaquePointer?
    guard unsafe EVP_PKEY_generate(generation, &made) == 1, let key = unsafe made else { throw Refused() }
    defer { unsafe EVP_PKEY_free(key) }
    guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { throw Refused() }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_sign_init(context) == 1 else { throw Refused() }
    try unsafe sign(context)
  }

  /// Signs with the existing key.
  func sign() throws {
    try unsafe sign(context)
  }

  private func sign(_ context: OpaquePointer) throws {
    var count = signature.count
    guard unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1 else { throw Refused() }
  }
}
