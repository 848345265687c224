// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// libcrypto's HMAC with one hash. Each thread reuses its own (``ThreadWorkspace``), because a copy costs twelve
/// allocations.
@safe final class MAC {
  private let pointer: OpaquePointer

  /// Returns the tag of the concatenated `parts`.
  static func hmac(of parts: [Bytes], key: Bytes, with hash: COSEHash) -> [UInt8] {
    [UInt8](count: hash.byteCount) { (start) in
      unsafe ThreadWorkspace.current.mac(hash).write(to: start, hash, key: key) { (mac, _) in
        for part in parts { mac.update(part) }
      }
    }
  }

  /// Returns the concatenated tags of several messages. Prepares the key once.
  static func hmacs(of messages: [[UInt8]], key: Bytes, with hash: COSEHash) -> [UInt8] {
    [UInt8](count: messages.count * hash.byteCount) { (start) in
      unsafe ThreadWorkspace.current.mac(hash).write(to: start, hash, key: key, count: messages.count) { (mac, index) in
        mac.update(messages[index])
      }
    }
  }

  init(_ hash: COSEHash) {
    LibCrypto.start()
    guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { fatalError("libcrypto has no HMAC") }
    unsafe pointer = LibCrypto.allocated(EVP_MAC_CTX_new(algorithm))
    unsafe EVP_MAC_free(algorithm)
    let status = unsafe MessageDigest.name(hash).withCString { (name) in
      let digest: StaticString = "digest"
      var list = unsafe [
        OSSL_PARAM_construct_utf8_string(digest.characters, UnsafeMutablePointer(mutating: name), 0),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_MAC_CTX_set_params(pointer, &list)
    }
    guard status == 1 else { fatalError("libcrypto has no HMAC with \(hash.rawValue)") }
  }

  deinit {
    unsafe EVP_MAC_CTX_free(pointer)
  }

  /// Writes `count` tags with one key. `feed` adds the message of each.
  private func write(
    to start: UnsafeMutablePointer<UInt8>, _ hash: COSEHash, key: Bytes, count: Int = 1, _ feed: (MAC, Int) -> Void
  ) {
    // An unused key takes the place of the secret one, so that it does not outlive the call.
    defer { require(unsafe EVP_MAC_init(pointer, [0x00 as UInt8], 1, nil)) }
    for index in 0..<count {
      if index == 0 {
        require(key.withPointer { (start, count) in unsafe EVP_MAC_init(pointer, start, count, nil) })
      } else {
        // Without a key, the call restarts with the previous one.
        require(unsafe EVP_MAC_init(pointer, nil, 0, nil))
      }
      feed(self, index)
      var written = 0
      require(unsafe EVP_MAC_final(pointer, start + index * hash.byteCount, &written, hash.byteCount))
    }
  }

  private func update(_ part: some ByteSource) {
    let part = part.slice
    require(part.withPointer { (start, count) in unsafe EVP_MAC_update(pointer, start, count) })
  }

  /// Success does not depend on the input, so failure is a defective libcrypto.
  private func require(_ status: Int32) {
    precondition(status == 1, "libcrypto failed to compute an HMAC")
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
