// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// frame = length (4 bytes, big-endian) type (1 byte) payload

/// A buffer of received bytes that returns complete frames. Take all complete frames before appending, so that the
/// buffer holds at most one partial frame and the last chunk.
struct FrameBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The number of bytes already taken.
  private var taken = 0

  // 1 MiB  [hundreds of times the longest message; a larger length is not a valid frame]
  static let maximumFrameByteCount: UInt32 = 1 << 20

  /// The result of ``take()``.
  enum Content: Hashable, Sendable {
    /// A frame.
    case frame(type: UInt8, payload: Bytes)
    /// No complete frame yet.
    case nothing
    /// A length that no frame has.
    case invalid
  }

  /// Appends bytes. Bytes already taken are removed here, once for all frames of a chunk: removing them for each frame
  /// would take quadratic time.
  mutating func append(_ more: some Sequence<UInt8>) {
    if taken > 0 {
      bytes.removeFirst(taken)
      taken = 0
    }
    bytes += more
  }

  /// Takes the next frame.
  mutating func take() -> Content {
    var reader = ByteReader(bytes[taken...])
    guard let length = try? reader.readUInt32() else { return .nothing }
    guard 1...Self.maximumFrameByteCount ~= length else { return .invalid }
    guard let frame = try? reader.read(Int(length)), let type = frame.first else { return .nothing }
    taken = frame.endIndex
    return .frame(type: type, payload: [UInt8](frame.dropFirst())[...])
  }

  /// Encodes a frame whose payload is `head` and then `payload`.
  static func encode(_ type: UInt8, head: [UInt8] = [], _ payload: some ByteSource) -> [UInt8] {
    let count = 1 + head.count + payload.count
    var writer = ByteWriter(capacity: 4 + count)
    writer.write(UInt32(clamping: count))
    writer.write(type)
    writer.write(head)
    writer.write(payload)
    return writer.bytes
  }
}
