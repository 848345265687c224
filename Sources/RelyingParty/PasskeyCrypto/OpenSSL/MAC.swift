// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// libcrypto's HMAC, prepared once for each hash and copied for each use.
@safe struct MAC: @unchecked Sendable {  // Immutable; libcrypto allows concurrent copies.
  private let pointer: OpaquePointer

  /// Returns the tag of the concatenated `parts`.
  static func hmac(of parts: [Bytes], key: Bytes, with hash: COSEHash) -> [UInt8] {
    let context = unsafe LibCrypto.allocated(EVP_MAC_CTX_dup(template(hash).pointer))
    defer { unsafe EVP_MAC_CTX_free(context) }
    var status = key.withPointer { (start, count) in unsafe EVP_MAC_init(context, start, count, nil) }
    for part in parts where status == 1 {
      status = part.withPointer { (start, count) in unsafe EVP_MAC_update(context, start, count) }
    }
    return [UInt8](count: hash.byteCount) { (start) in
      var written = 0
      if status == 1 { status = unsafe EVP_MAC_final(context, start, &written, hash.byteCount) }
      // Success does not depend on the input, so failure is a defective libcrypto.
      precondition(status == 1 && written == hash.byteCount, "libcrypto failed to compute an HMAC")
    }
  }

  /// Returns the concatenated tags of several messages. Prepares the key once.
  static func hmacs(of messages: [Bytes], key: Bytes, with hash: COSEHash) -> [UInt8] {
    let context = unsafe LibCrypto.allocated(EVP_MAC_CTX_dup(template(hash).pointer))
    defer { unsafe EVP_MAC_CTX_free(context) }
    var status = key.withPointer { (start, count) in unsafe EVP_MAC_init(context, start, count, nil) }
    return [UInt8](count: messages.count * hash.byteCount) { (start) in
      for (index, message) in messages.enumerated() {
        // Without a key, the call restarts with the previous one.
        if index > 0, status == 1 { status = unsafe EVP_MAC_init(context, nil, 0, nil) }
        if status == 1 {
          status = message.withPointer { (start, count) in unsafe EVP_MAC_update(context, start, count) }
        }
        var written = 0
        if status == 1 {
          status = unsafe EVP_MAC_final(context, start + index * hash.byteCount, &written, hash.byteCount)
        }
        precondition(status == 1 && written == hash.byteCount, "libcrypto failed to compute an HMAC")
      }
    }
  }

  private static func template(_ hash: COSEHash) -> MAC {
    switch hash {
    case .sha1: sha1
    case .sha256: sha256
    case .sha384: sha384
    case .sha512: sha512
    }
  }

  private static let sha1 = MAC(.sha1)
  private static let sha256 = MAC(.sha256)
  private static let sha384 = MAC(.sha384)
  private static let sha512 = MAC(.sha512)

  private init(_ hash: COSEHash) {
    LibCrypto.start()
    guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { fatalError("libcrypto has no HMAC") }
    unsafe pointer = LibCrypto.allocated(EVP_MAC_CTX_new(algorithm))
    unsafe EVP_MAC_free(algorithm)
    // Sets a placeholder key, because a context without one cannot be copied. Each use sets its own key.
    let status = unsafe MessageDigest.name(hash).withCString { (name) in
      let digest: StaticString = "digest"
      var list = unsafe [
        OSSL_PARAM_construct_utf8_string(digest.characters, UnsafeMutablePointer(mutating: name), 0),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_MAC_init(pointer, [0x00 as UInt8], 1, &list)
    }
    guard status == 1 else { fatalError("libcrypto has no HMAC with \(hash.rawValue)") }
  }
}

/// libcrypto's passphrase-based key derivation.
enum MemoryHardHash {
  /// Scrypt with checked parameters.
  static func scrypt(
    _ passphrase: SecretBytes, salt: Bytes, n: Int, r: Int, p: Int, byteCount: Int, memoryLimit: Int
  ) throws(PasskeyCryptoError) -> SecretBytes {
    LibCrypto.start()
    return try SecretBytes(count: byteCount) { (output) throws(PasskeyCryptoError) in
      let status = passphrase.withBytes { (passphrase) in
        passphrase.withPointer { (passphrase, passphraseCount) in
          salt.withPointer { (salt, saltCount) in
            unsafe passphrase.withMemoryRebound(to: CChar.self, capacity: passphraseCount) { (passphrase) in
              unsafe EVP_PBE_scrypt(
                passphrase, passphraseCount, salt, saltCount, UInt64(n), UInt64(r), UInt64(p), UInt64(memoryLimit),
                output, byteCount)
            }
          }
        }
      }
      try LibCrypto.require(status)
    }
  }
}
