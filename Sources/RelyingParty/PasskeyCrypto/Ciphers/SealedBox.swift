// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A message encrypted and authenticated with AES-256-GCM.
package struct SealedBox: Hashable, Sendable {
  /// The nonce of this message, 12 bytes. Never use a nonce twice with one key.
  package let nonce: Bytes

  /// The encrypted message, as long as the plaintext.
  package let ciphertext: Bytes

  /// The authentication tag over the message and the authenticated context, 16 bytes.
  package let tag: Bytes

  /// The length of a key.
  package static let keyByteCount = 32

  /// The length of a nonce (NIST SP 800-38D §8.2).
  package static let nonceByteCount = 12

  /// The length of a tag. Tags are never truncated.
  package static let tagByteCount = 16

  /// Creates a box from its parts.
  ///
  /// - Throws: `crypto.invalid-length`.
  package init(nonce: some ByteSource, ciphertext: some ByteSource, tag: some ByteSource) throws(PasskeyCryptoError) {
    let nonce = nonce.slice
    let ciphertext = ciphertext.slice
    let tag = tag.slice
    guard nonce.count == Self.nonceByteCount, tag.count == Self.tagByteCount else {
      throw PasskeyCryptoError(.invalidLength, "a nonce of \(nonce.count) bytes or a tag of \(tag.count)")
    }
    self.nonce = nonce
    self.ciphertext = ciphertext
    self.tag = tag
  }

  /// Splits a combined box: nonce, ciphertext, tag.
  ///
  /// - Throws: `crypto.invalid-length`.
  package init(combined: some ByteSource) throws(PasskeyCryptoError) {
    let combined = combined.slice
    guard combined.count >= Self.nonceByteCount + Self.tagByteCount else {
      throw PasskeyCryptoError(.invalidLength, "a box of \(combined.count) bytes")
    }
    try self.init(
      nonce: combined.prefix(Self.nonceByteCount),
      ciphertext: combined.dropFirst(Self.nonceByteCount).dropLast(Self.tagByteCount),
      tag: combined.suffix(Self.tagByteCount))
  }

  /// The combined box: nonce, ciphertext, tag.
  package var combined: [UInt8] { Array(nonce + ciphertext + tag) }

  /// Seals `plaintext` under a random nonce.
  ///
  /// - Throws: `crypto.invalid-length` for a key that does not have 32 bytes, or `crypto.randomness-unavailable`.
  package static func seal<Context: ByteSource>(
    _ plaintext: some ByteSource, key: SecretBytes, authenticating context: Context = [UInt8](), random: RandomSource
  ) throws(PasskeyCryptoError) -> SealedBox {
    try seal(plaintext, key: key, nonce: random.bytes(nonceByteCount), authenticating: context)
  }

  /// Seals `plaintext` under the caller's nonce, which must never have been used with this key.
  ///
  /// - Throws: `crypto.invalid-length` for a key that does not have 32 bytes or a nonce that does not have 12.
  package static func seal<Context: ByteSource>(
    _ plaintext: some ByteSource, key: SecretBytes, nonce: some ByteSource,
    authenticating context: Context = [UInt8]()
  ) throws(PasskeyCryptoError) -> SealedBox {
    guard key.count == keyByteCount, nonce.count == nonceByteCount else {
      throw PasskeyCryptoError(.invalidLength, "a key of \(key.count) bytes or a nonce of \(nonce.count)")
    }
    let sealed = try CipherContext(.aes256GCM, .encrypt, key: key, initialVector: nonce.slice)
    try sealed.authenticate(context.slice)
    let ciphertext = try sealed.update(plaintext.slice)
    try sealed.finish(.libraryFailure)
    return try SealedBox(nonce: nonce, ciphertext: ciphertext, tag: sealed.tag(byteCount: tagByteCount))
  }

  /// Opens the box.
  ///
  /// - Throws: `crypto.authentication-failed` unless key, context and box are those of the sealing.
  package func open<Context: ByteSource>(
    key: SecretBytes, authenticating context: Context = [UInt8]()
  ) throws(PasskeyCryptoError) -> SecretBytes {
    guard key.count == Self.keyByteCount else {
      throw PasskeyCryptoError(.invalidLength, "a key of \(key.count) bytes")
    }
    let opened = try CipherContext(.aes256GCM, .decrypt, key: key, initialVector: nonce)
    try opened.authenticate(context.slice)
    // Held as a secret, so that it is wiped if the tag is wrong.
    let plaintext = try SecretBytes(taking: opened.update(ciphertext))
    try opened.expect(tag: tag)
    try opened.finish(.authenticationFailed)
    return plaintext
  }
}
