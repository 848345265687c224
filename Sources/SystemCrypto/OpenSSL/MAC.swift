// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import COpenSSL
internal import WireFormats

/// libcrypto's HMAC, set up once for each hash and copied for each use.
@safe struct MAC: @unchecked Sendable {  // Only ever copied, which libcrypto allows from several threads.
  private let pointer: OpaquePointer

  /// The tag of `parts`, one behind the other.
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
      // None of this depends on what is hashed, so it works always or never.
      precondition(status == 1 && written == hash.byteCount, "libcrypto does not compute an HMAC")
    }
  }

  /// The tags of several messages under one key, one behind the other: the key is worked on once.
  static func hmacs(of messages: [Bytes], key: Bytes, with hash: COSEHash) -> [UInt8] {
    let context = unsafe LibCrypto.allocated(EVP_MAC_CTX_dup(template(hash).pointer))
    defer { unsafe EVP_MAC_CTX_free(context) }
    var status = key.withPointer { (start, count) in unsafe EVP_MAC_init(context, start, count, nil) }
    return [UInt8](count: messages.count * hash.byteCount) { (start) in
      for (index, message) in messages.enumerated() {
        // Without a key it begins anew with the one that it has.
        if index > 0, status == 1 { status = unsafe EVP_MAC_init(context, nil, 0, nil) }
        if status == 1 {
          status = message.withPointer { (start, count) in unsafe EVP_MAC_update(context, start, count) }
        }
        var written = 0
        if status == 1 {
          status = unsafe EVP_MAC_final(context, start + index * hash.byteCount, &written, hash.byteCount)
        }
        precondition(status == 1 && written == hash.byteCount, "libcrypto does not compute an HMAC")
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
    guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { fatalError("libcrypto has no HMAC") }
    unsafe pointer = LibCrypto.allocated(EVP_MAC_CTX_new(algorithm))
    unsafe EVP_MAC_free(algorithm)
    // A key is given because a context that never had one cannot be copied. Each use gives its own.
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

/// libcrypto's functions for passphrases.
enum MemoryHardHash {
  /// Scrypt, with numbers that have been checked.
  static func scrypt(
    _ passphrase: SecretBytes, salt: Bytes, n: Int, r: Int, p: Int, byteCount: Int, memoryLimit: Int
  ) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: byteCount) { (output) throws(CryptoError) in
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
