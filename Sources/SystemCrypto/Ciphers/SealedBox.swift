// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What AES-256-GCM makes of a message: nobody reads it without the key, and nobody changes it unnoticed.
public struct SealedBox: Hashable, Sendable {
  /// What was fresh for this message, 12 bytes. Two messages under one key must never share it.
  public let nonce: Bytes

  /// The message, encrypted, as long as it was.
  public let ciphertext: Bytes

  /// What shows that neither the message nor what was authenticated with it has changed, 16 bytes.
  public let tag: Bytes

  /// The length of a key.
  public static let keyByteCount = 32

  /// The length of a nonce (NIST SP 800-38D §8.2).
  public static let nonceByteCount = 12

  /// The length of a tag, which is never shortened.
  public static let tagByteCount = 16

  /// A box that was made elsewhere.
  public init(nonce: Bytes, ciphertext: Bytes, tag: Bytes) throws(CryptoError) {
    guard nonce.count == Self.nonceByteCount, tag.count == Self.tagByteCount else {
      throw CryptoError(.invalidLength, "a nonce of \(nonce.count) bytes or a tag of \(tag.count)")
    }
    self.nonce = nonce
    self.ciphertext = ciphertext
    self.tag = tag
  }

  /// A box in one piece: nonce, ciphertext, tag.
  public init(combined: Bytes) throws(CryptoError) {
    guard combined.count >= Self.nonceByteCount + Self.tagByteCount else {
      throw CryptoError(.invalidLength, "a box of \(combined.count) bytes")
    }
    try self.init(
      nonce: combined.prefix(Self.nonceByteCount),
      ciphertext: combined.dropFirst(Self.nonceByteCount).dropLast(Self.tagByteCount),
      tag: combined.suffix(Self.tagByteCount))
  }

  /// The box in one piece: nonce, ciphertext, tag.
  public var combined: [UInt8] { Array(nonce + ciphertext + tag) }

  /// Seals `plaintext` under a nonce that is drawn for it.
  public static func seal(
    _ plaintext: Bytes, key: SecretBytes, authenticating context: Bytes = [], random: RandomSource
  ) throws(CryptoError) -> SealedBox {
    try seal(plaintext, key: key, nonce: random.bytes(nonceByteCount)[...], authenticating: context)
  }

  /// Seals `plaintext` under a nonce that the caller answers for: it must never have been used with this key.
  public static func seal(
    _ plaintext: Bytes, key: SecretBytes, nonce: Bytes, authenticating context: Bytes = []
  ) throws(CryptoError) -> SealedBox {
    guard key.count == keyByteCount, nonce.count == nonceByteCount else {
      throw CryptoError(.invalidLength, "a key of \(key.count) bytes or a nonce of \(nonce.count)")
    }
    let sealed = try CipherContext(.aes256GCM, .encrypt, key: key, initialVector: nonce)
    try sealed.authenticate(context)
    let ciphertext = try sealed.update(plaintext)
    try sealed.finish(.libraryFailure)
    return try SealedBox(nonce: nonce, ciphertext: ciphertext[...], tag: sealed.tag(byteCount: tagByteCount)[...])
  }

  /// Opens the box. It opens for the key and the context that it was sealed with, and for no other.
  public func open(key: SecretBytes, authenticating context: Bytes = []) throws(CryptoError) -> SecretBytes {
    guard key.count == Self.keyByteCount else { throw CryptoError(.invalidLength, "a key of \(key.count) bytes") }
    let opened = try CipherContext(.aes256GCM, .decrypt, key: key, initialVector: nonce)
    try opened.authenticate(context)
    // Held as a secret, so that it is wiped when the tag turns out wrong.
    let plaintext = try SecretBytes(taking: opened.update(ciphertext))
    try opened.expect(tag: tag)
    try opened.finish(.authenticationFailed)
    return plaintext
  }
}
