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
