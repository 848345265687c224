// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// frame = length (4 bytes, big-endian) type (1 byte) payload

/// Bytes as they come, and the frames that are whole. Whoever puts bytes in takes every frame before more are put in, so
/// that there is never more than the beginning of one frame and what came with it.
struct FrameBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// How many of the bytes were taken.
  private var taken = 0

  // 1 MiB  [hundreds of times the longest message; a length beyond it is no frame]
  static let maximumFrameByteCount: UInt32 = 1 << 20

  /// What can be taken.
  enum Content: Hashable, Sendable {
    /// A frame.
    case frame(type: UInt8, payload: Bytes)
    /// The beginning of one, or nothing.
    case nothing
    /// What is no frame, however it goes on.
    case nonsense
  }

  /// Puts bytes behind the others. What was taken goes here, once for all frames that came together: a copy of the rest for
  /// each of them would take the square of the time.
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
    guard 1...Self.maximumFrameByteCount ~= length else { return .nonsense }
    guard let frame = try? reader.read(Int(length)), let type = frame.first else { return .nothing }
    taken = frame.endIndex
    return .frame(type: type, payload: [UInt8](frame.dropFirst())[...])
  }

  /// A frame as it travels.
  static func encode(_ type: UInt8, _ payload: some Sequence<UInt8>) -> [UInt8] {
    let frame = [type] + payload
    return (0..<4).reversed().map { (place) in UInt8(truncatingIfNeeded: frame.count >> (8 * place)) } + frame
  }
}
