// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

/// Message authentication with a shared key (RFC 2104).
package enum HMAC {
  /// Returns the tag of `message`, as long as the hash.
  package static func tag(of message: some ByteSource, key: SecretBytes, with function: COSEHash = .sha256) -> [UInt8] {
    key.withBytes { (key) in MAC.hmac(of: [message.slice], key: key, with: function) }
  }

  /// Returns the concatenated tags of several messages.
  package static func tags(
    ofEach messages: [[UInt8]], key: SecretBytes, with function: COSEHash = .sha256
  ) -> [UInt8] {
    key.withBytes { (key) in MAC.hmacs(of: messages, key: key, with: function) }
  }

  /// Verifies `tag`, which must be complete, in constant time.
  ///
  /// - Throws: `crypto.authentication-failed`.
  package static func verify(
    _ tag: some ByteSource, of message: some ByteSource, key: SecretBytes, with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) {
    let tag = tag.slice
    let message = message.slice
    guard constantTimeEquals(tag, self.tag(of: message, key: key, with: function)) else {
      throw PasskeyCryptoError(.authenticationFailed, "HMAC")
    }
  }
}

/// Key derivation from keying material (RFC 5869).
package enum HKDF {
  /// Extracts a key from any secret and expands it to `byteCount` bytes.
  ///
  /// - Throws: `crypto.invalid-length` for more than 255 times the length of the hash.
  package static func derive<Salt: ByteSource>(
    from material: SecretBytes, salt: Salt = [UInt8](), info: some ByteSource, byteCount: Int,
    with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) -> SecretBytes {
    try expand(extract(from: material, salt: salt, with: function), info: info, byteCount: byteCount, with: function)
  }

  /// RFC 5869 §2.2: extracts a uniform key, as long as the hash. An empty salt stands for zeros of the hash's length.
  package static func extract<Salt: ByteSource>(
    from material: SecretBytes, salt: Salt = [UInt8](), with function: COSEHash = .sha256
  ) -> SecretBytes {
    material.withBytes { (material) in
      SecretBytes(taking: MAC.hmac(of: [material], key: salt.slice, with: function))
    }
  }

  /// RFC 5869 §2.3: expands an extracted key to at most 255 times the length of the hash.
  ///
  /// - Throws: `crypto.invalid-length` for more than 255 times the length of the hash.
  package static func expand(
    _ key: SecretBytes, info: some ByteSource, byteCount: Int, with function: COSEHash = .sha256
  ) throws(PasskeyCryptoError) -> SecretBytes {
    let info = info.slice
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
}
