// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// AES-128 in CBC mode without padding or authentication, for two identifiers in CTAP's getInfo (CTAP 2.3 §6.4,
/// encIdentifier and encCredStoreState). For other purposes use ``SealedBox``.
package enum AES128CBC {
  /// The length of a block, key and initialization vector. The message must be whole blocks.
  package static let blockByteCount = BlockChaining.blockByteCount

  /// Encrypts whole blocks.
  ///
  /// - Throws: `crypto.invalid-length`.
  package static func encrypt(
    _ plaintext: some ByteSource, key: SecretBytes, initialVector: some ByteSource
  ) throws(PasskeyCryptoError) -> [UInt8] {
    let plaintext = plaintext.slice
    return try run(.encrypt, plaintext, key, initialVector.slice)
  }

  /// Decrypts whole blocks. Does not detect modifications.
  ///
  /// - Throws: `crypto.invalid-length`.
  package static func decrypt(
    _ ciphertext: some ByteSource, key: SecretBytes, initialVector: some ByteSource
  ) throws(PasskeyCryptoError) -> SecretBytes {
    let ciphertext = ciphertext.slice
    return SecretBytes(taking: try run(.decrypt, ciphertext, key, initialVector.slice))
  }

  private static func run(
    _ direction: CipherContext.Direction, _ input: Bytes, _ key: SecretBytes, _ initialVector: Bytes
  ) throws(PasskeyCryptoError) -> [UInt8] {
    try BlockChaining.run(.aes128CBC, keyByteCount: 16, direction, input, key, initialVector)
  }
}

/// AES-256 in CBC mode without padding or authentication, for CTAP's PIN protocols (CTAP 2.3 §6.5.6 and §6.5.7), which
/// authenticate separately. For other purposes use ``SealedBox``.
package enum AES256CBC {
  /// The length of a block and initialization vector. The message must be whole blocks.
  package static let blockByteCount = BlockChaining.blockByteCount

  /// The initialization vector of PIN protocol one.
  package static let zeroVector = [UInt8](repeating: 0, count: blockByteCount)

  /// Encrypts whole blocks.
  ///
  /// - Throws: `crypto.invalid-length`.
  package static func encrypt(
    _ plaintext: some ByteSource, key: SecretBytes, initialVector: some ByteSource
  ) throws(PasskeyCryptoError) -> [UInt8] {
    let plaintext = plaintext.slice
    return try run(.encrypt, plaintext, key, initialVector.slice)
  }

  /// Decrypts whole blocks. Does not detect modifications.
  ///
  /// - Throws: `crypto.invalid-length`.
  package static func decrypt(
    _ ciphertext: some ByteSource, key: SecretBytes, initialVector: some ByteSource
  ) throws(PasskeyCryptoError) -> SecretBytes {
    let ciphertext = ciphertext.slice
    return SecretBytes(taking: try run(.decrypt, ciphertext, key, initialVector.slice))
  }

  private static func run(
    _ direction: CipherContext.Direction, _ input: Bytes, _ key: SecretBytes, _ initialVector: Bytes
  ) throws(PasskeyCryptoError) -> [UInt8] {
    try BlockChaining.run(.aes256CBC, keyByteCount: 32, direction, input, key, initialVector)
  }
}

/// AES in CBC mode. Block and initialization vector have the same length for all key sizes.
enum BlockChaining {
  static let blockByteCount = 16

  /// Encrypts or decrypts whole blocks.
  static func run(
    _ cipher: Cipher, keyByteCount: Int, _ direction: CipherContext.Direction, _ input: Bytes, _ key: SecretBytes,
    _ initialVector: Bytes
  ) throws(PasskeyCryptoError) -> [UInt8] {
    guard key.count == keyByteCount else { throw PasskeyCryptoError(.invalidLength, "a key of \(key.count) bytes") }
    guard initialVector.count == blockByteCount else {
      throw PasskeyCryptoError(.invalidLength, "an initialization vector of \(initialVector.count) bytes")
    }
    guard input.count.isMultiple(of: blockByteCount) else {
      throw PasskeyCryptoError(.invalidLength, "\(input.count) bytes are not whole blocks")
    }
    let context = try CipherContext(cipher, direction, key: key, initialVector: initialVector)
    let output = try context.update(input)
    try context.finish(.libraryFailure)
    return output
  }
}
