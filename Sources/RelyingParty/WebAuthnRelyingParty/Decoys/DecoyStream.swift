// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// A pseudorandom byte stream derived from a key and a name: block n is HMAC-SHA-256(key, n || name), like the
/// expansion of RFC 5869. The fixed-length number comes first, so that it cannot be confused with the name.
struct DecoyStream {
  private var rest: Bytes

  /// Generates all bytes at once.
  init(key: SecretBytes, name: String, byteCount: Int) {
    let name = [UInt8](name.utf8)
    let blockCount = (byteCount + Self.blockByteCount - 1) / Self.blockByteCount
    let messages = (0..<UInt32(clamping: blockCount)).map { (number) -> [UInt8] in
      var message = ByteWriter()
      message.write(number)
      message.write(name)
      return message.bytes
    }
    rest = HMAC.tags(ofEach: messages, key: key)[...]
  }

  private static let blockByteCount = 32

  /// Returns the next bytes, or fewer at the end of the stream.
  mutating func next(_ count: Int) -> Bytes {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
