// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// Authentication of messages with a key that both sides know (RFC 2104).
public enum HMAC {
  /// The tag of `message`, as long as the hash.
  public static func tag(of message: Bytes, key: SecretBytes, with function: COSEHash = .sha256) -> [UInt8] {
    key.withBytes { (key) in MAC.hmac(of: [message], key: key, with: function) }
  }

  /// The tags of several messages, one behind the other.
  package static func tags(
    ofEach messages: [Bytes], key: SecretBytes, with function: COSEHash = .sha256
  ) -> [UInt8] {
    key.withBytes { (key) in MAC.hmacs(of: messages, key: key, with: function) }
  }

  /// Demands that `tag` is the whole tag of `message`; compared in constant time.
  public static func verify(
    _ tag: Bytes, of message: Bytes, key: SecretBytes, with function: COSEHash = .sha256
  ) throws(CryptoError) {
    guard constantTimeEquals(tag, self.tag(of: message, key: key, with: function)[...]) else {
      throw CryptoError(.authenticationFailed, "HMAC")
    }
  }
}

/// Keys from keying material (RFC 5869).
public enum HKDF {
  /// Extracts and expands: as many bytes as asked for, from any secret.
  public static func derive(
    from material: SecretBytes, salt: Bytes = [], info: Bytes, byteCount: Int, with function: COSEHash = .sha256
  ) throws(CryptoError) -> SecretBytes {
    try expand(extract(from: material, salt: salt, with: function), info: info, byteCount: byteCount, with: function)
  }

  /// §2.2: a key of even quality, as long as the hash. An empty salt is that many zeros.
  public static func extract(
    from material: SecretBytes, salt: Bytes = [], with function: COSEHash = .sha256
  ) -> SecretBytes {
    material.withBytes { (material) in
      SecretBytes(taking: MAC.hmac(of: [material], key: salt, with: function))
    }
  }

  /// §2.3: as many bytes as asked for, at most 255 times the length of the hash, from an extracted key.
  public static func expand(
    _ key: SecretBytes, info: Bytes, byteCount: Int, with function: COSEHash = .sha256
  ) throws(CryptoError) -> SecretBytes {
    guard (0...255 * function.byteCount).contains(byteCount) else {
      throw CryptoError(.invalidLength, "HKDF gives at most \(255 * function.byteCount) bytes")
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
