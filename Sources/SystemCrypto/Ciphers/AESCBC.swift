// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// AES-128 in CBC mode, without padding and without authentication: CTAP encrypts two identifiers so in getInfo
/// (CTAP 2.3 §6.4, encIdentifier and encCredStoreState). For anything else there is ``SealedBox``.
public enum AES128CBC {
  /// The length of a block, of a key and of an initialisation vector. Whole blocks alone are taken.
  public static let blockByteCount = BlockChaining.blockByteCount

  /// Encrypts whole blocks.
  public static func encrypt(
    _ plaintext: Bytes, key: SecretBytes, initialVector: Bytes
  ) throws(CryptoError) -> [UInt8] {
    try run(.encrypt, plaintext, key, initialVector)
  }

  /// Decrypts whole blocks. Whether they are what was encrypted is not known.
  public static func decrypt(
    _ ciphertext: Bytes, key: SecretBytes, initialVector: Bytes
  ) throws(CryptoError) -> SecretBytes {
    SecretBytes(taking: try run(.decrypt, ciphertext, key, initialVector))
  }

  private static func run(
    _ direction: CipherContext.Direction, _ input: Bytes, _ key: SecretBytes, _ initialVector: Bytes
  ) throws(CryptoError) -> [UInt8] {
    try BlockChaining.run(.aes128CBC, keyByteCount: 16, direction, input, key, initialVector)
  }
}

/// AES-256 in CBC mode, without padding and without authentication: what CTAP's PIN protocols are made of
/// (CTAP 2.3 §6.5.6 and §6.5.7), which authenticate in their own way. For anything else there is ``SealedBox``.
public enum AES256CBC {
  /// The length of a block and of an initialisation vector. Whole blocks alone are taken.
  public static let blockByteCount = BlockChaining.blockByteCount

  /// Protocol one's initialisation vector.
  public static let zeroVector = [UInt8](repeating: 0, count: blockByteCount)

  /// Encrypts whole blocks.
  public static func encrypt(
    _ plaintext: Bytes, key: SecretBytes, initialVector: Bytes
  ) throws(CryptoError) -> [UInt8] {
    try run(.encrypt, plaintext, key, initialVector)
  }

  /// Decrypts whole blocks. Whether they are what was encrypted is not known.
  public static func decrypt(
    _ ciphertext: Bytes, key: SecretBytes, initialVector: Bytes
  ) throws(CryptoError) -> SecretBytes {
    SecretBytes(taking: try run(.decrypt, ciphertext, key, initialVector))
  }

  private static func run(
    _ direction: CipherContext.Direction, _ input: Bytes, _ key: SecretBytes, _ initialVector: Bytes
  ) throws(CryptoError) -> [UInt8] {
    try BlockChaining.run(.aes256CBC, keyByteCount: 32, direction, input, key, initialVector)
  }
}

/// AES in CBC mode, whose block and initialisation vector are as long with every key.
enum BlockChaining {
  static let blockByteCount = 16

  /// Takes whole blocks one way or the other.
  static func run(
    _ cipher: Cipher, keyByteCount: Int, _ direction: CipherContext.Direction, _ input: Bytes, _ key: SecretBytes,
    _ initialVector: Bytes
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == keyByteCount else { throw CryptoError(.invalidLength, "a key of \(key.count) bytes") }
    guard initialVector.count == blockByteCount else {
      throw CryptoError(.invalidLength, "an initialisation vector of \(initialVector.count) bytes")
    }
    guard input.count.isMultiple(of: blockByteCount) else {
      throw CryptoError(.invalidLength, "\(input.count) bytes are not whole blocks")
    }
    let context = try CipherContext(cipher, direction, key: key, initialVector: initialVector)
    let output = try context.update(input)
    try context.finish(.libraryFailure)
    return output
  }
}
