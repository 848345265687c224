// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

/// Message authentication with a shared key (RFC 2104).
package enum HMAC {
  /// Returns the tag of `message`, as long as the hash.
  package static func tag(of message: Bytes, key: SecretBytes, with function: COSEHash = .sha256) -> [UInt8] {
    key.withBytes { (key) in MAC.hmac(of: [message], key: key, with: function) }
  }

  /// Returns the tag of `message`, as long as the hash.
  @inlinable
  package static func tag(
    of message: some Collection<UInt8>, key: SecretBytes, with function: COSEHash = .sha256
  ) -> [UInt8] {
    tag(of: Bytes(message), key: key, with: function)
  }

  /// Returns the concatenated tags of several messages.
  package static func tags(
    ofEach messages: [Bytes], key: SecretBytes, with function: COSEHash = .sha256
  ) -> [UInt8] {
    key.withBytes { (key) in MAC.hmacs(of: messages, key: key, with: function) }
  }

  /// Verifies `tag`, which must be complete, in constant time.
  ///
  /// - Throws: `crypto.authentication-failed`.
  package static func verify(
    _ tag: Bytes, of message: Bytes, key: SecretBytes, with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) {
    guard constantTimeEquals(tag, self.tag(of: message, key: key, with: function)[...]) else {
      throw PasskeyCryptoError(.authenticationFailed, "HMAC")
    }
  }

  /// Verifies `tag`, which must be complete, in constant time.
  ///
  /// - Throws: `crypto.authentication-failed`.
  @inlinable
  package static func verify(
    _ tag: some Collection<UInt8>, of message: some Collection<UInt8>, key: SecretBytes,
    with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) {
    try verify(Bytes(tag), of: Bytes(message), key: key, with: function)
  }
}

/// Key derivation from keying material (RFC 5869).
package enum HKDF {
  /// Extracts a key from any secret and expands it to `byteCount` bytes.
  ///
  /// - Throws: `crypto.invalid-length` for more than 255 times the length of the hash.
  package static func derive(
    from material: SecretBytes, salt: Bytes = [], info: Bytes, byteCount: Int, with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) -> SecretBytes {
    try expand(extract(from: material, salt: salt, with: function), info: info, byteCount: byteCount, with: function)
  }

  /// Extracts a key from any secret and expands it to `byteCount` bytes.
  ///
  /// - Throws: `crypto.invalid-length` for more than 255 times the length of the hash.
  @inlinable
  package static func derive<Salt: Collection<UInt8>>(
    from material: SecretBytes, salt: Salt = [UInt8](), info: some Collection<UInt8>, byteCount: Int,
    with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) -> SecretBytes {
    try derive(from: material, salt: Bytes(salt), info: Bytes(info), byteCount: byteCount, with: function)
  }

  /// RFC 5869 §2.2: extracts a uniform key, as long as the hash. An empty salt stands for zeros of the hash's length.
  package static func extract(
    from material: SecretBytes, salt: Bytes = [], with function: COSEHash = .sha256
  ) -> SecretBytes {
    material.withBytes { (material) in
      SecretBytes(taking: MAC.hmac(of: [material], key: salt, with: function))
    }
  }

  /// RFC 5869 §2.2: extracts a uniform key, as long as the hash. An empty salt stands for zeros of the hash's length.
  @inlinable
  package static func extract<Salt: Collection<UInt8>>(
    from material: SecretBytes, salt: Salt = [UInt8](), with function: COSEHash = .sha256
  ) -> SecretBytes {
    extract(from: material, salt: Bytes(salt), with: function)
  }

  /// RFC 5869 §2.3: expands an extracted key to at most 255 times the length of the hash.
  ///
  /// - Throws: `crypto.invalid-length` for more than 255 times the length of the hash.
  package static func expand(
    _ key: SecretBytes, info: Bytes, byteCount: Int, with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) -> SecretBytes {
    guard (0...255 * function.byteCount).contains(byteCount) else {
      throw PasskeyCryptoError(.invalidLength, "HKDF output is limited to \(255 * function.byteCount) bytes")
    }
    return key.withBytes { (key) in
      var output: [UInt8] = []
      output.reserveCapacity(byteCount + function.byteCount)
      var block: [UInt8] = []
      defer { block.wipe() }
      var counter: UInt8 = 0
      while output.count < byteCount {
        counter += 1
        let next = MAC.hmac(of: [block[...], info, [counter]], key: key, with: function)
        block.wipe()
        block = next
        output += block
      }
      output.removeLast(output.count - byteCount)
      return SecretBytes(taking: output)
    }
  }

  /// RFC 5869 §2.3: expands an extracted key to at most 255 times the length of the hash.
  ///
  /// - Throws: `crypto.invalid-length` for more than 255 times the length of the hash.
  @inlinable
  package static func expand(
    _ key: SecretBytes, info: some Collection<UInt8>, byteCount: Int, with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) -> SecretBytes {
    try expand(key, info: Bytes(info), byteCount: byteCount, with: function)
  }
}
