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
