// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import WireFormats

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
