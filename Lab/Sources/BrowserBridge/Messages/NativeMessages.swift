// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Native messaging: each message is a length of 32 bits in native byte order, and as many bytes of UTF-8 JSON.
package enum NativeMessages {
  // 1 MiB  [the limit of browsers for messages of a host]
  package static let maximumOutgoingByteCount = 1 << 20

  // 256 KiB  [options have at most 64 KiB, and escaping them in a string at most triples that]
  package static let maximumIncomingByteCount = 1 << 18

  static let headByteCount = 4

  /// Returns the length and the message.
  ///
  /// - Throws: `browser-host.message-too-long`.
  package static func encode(_ message: [UInt8]) throws(BrowserError) -> [UInt8] {
    guard message.count <= maximumOutgoingByteCount else {
      throw BrowserError(.messageTooLong, "\(message.count) bytes, and \(maximumOutgoingByteCount) is the limit")
    }
    return head(UInt32(message.count)) + message
  }

  private static let isLittleEndian = UInt32(1).littleEndian == 1

  /// Returns a length in native byte order.
  private static func head(_ length: UInt32) -> [UInt8] {
    let bytes = (0..<headByteCount).map { (index) in UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  /// Reads a length in native byte order.
  fileprivate static func length(_ head: ArraySlice<UInt8>) -> Int {
    (isLittleEndian ? head.reversed() : Array(head)).reduce(0) { (length, byte) in length << 8 | Int(byte) }
  }
}

/// The received bytes of native messages, from which complete messages are taken.
package struct NativeMessageBuffer {
  private var bytes: [UInt8] = []
  private let limit: Int

  /// Creates a buffer for messages of at most this many bytes.
  package init(limit: Int = NativeMessages.maximumIncomingByteCount) {
    self.limit = limit
  }

  package mutating func append(_ received: [UInt8]) {
    bytes += received
  }

  /// Takes the next message. Returns nil until it is complete.
  ///
  /// A length above the limit is rejected before any byte of the message is kept.
  ///
  /// - Throws: `browser-host.message-too-long`.
  package mutating func take() throws(BrowserError) -> Bytes? {
    guard bytes.count >= NativeMessages.headByteCount else { return nil }
    let length = NativeMessages.length(bytes.prefix(NativeMessages.headByteCount))
    guard length <= limit else {
      throw BrowserError(.messageTooLong, "\(length) bytes, and \(limit) is the limit")
    }
    let end = NativeMessages.headByteCount + length
    guard bytes.count >= end else { return nil }
    let message = Bytes(bytes[NativeMessages.headByteCount..<end])
    bytes.removeFirst(end)
    return message
  }

  /// Throws if the connection ended in the middle of a message.
  ///
  /// - Throws: `browser-host.message-truncated`.
  package func finish() throws(BrowserError) {
    guard bytes.isEmpty else { throw BrowserError(.messageTruncated, "after \(bytes.count) bytes") }
  }
}
