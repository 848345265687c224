// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

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
