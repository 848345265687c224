// SPDX-License-Identifier: Apache-2.0

/// Finds the end of a body in a stream of bytes.
struct BodyScanner {
  private enum State {
    case data(Int)
    /// A line of a chunked body, as far as it has arrived.
    case line(Line)
    case untilEnd
    case complete
  }

  private enum Line {
    case size
    case afterData
    case trailer
  }

  // 4 KiB  [a size takes some digits; chunk extensions and trailer fields are rare]
  private static let maximumLineLength = 1 << 12

  // 64 KiB  [as for heads]
  private static let maximumTrailerLength = 1 << 16

  private var state: State

  /// The start of the line of a chunked body, without its end.
  private var line: [UInt8] = []

  /// The number of bytes in trailer fields.
  private var trailerLength = 0

  /// Whether the size of each chunk comes before it.
  private let isChunked: Bool

  /// The content without the sizes of chunks.
  private(set) var content: [UInt8] = []

  /// Whether ``content`` is collected.
  private let collects: Bool

  init(_ framing: BodyFraming, collecting collects: Bool) {
    self.collects = collects
    isChunked = if case .chunked = framing { true } else { false }
    state =
      switch framing {
      case .none, .length(0): .complete
      case .length(let count): .data(count)
      case .chunked: .line(.size)
      case .untilEnd: .untilEnd
      }
  }

  var isComplete: Bool { if case .complete = state { true } else { false } }

  /// Whether the end of the stream is the end of the body.
  var endsWithStream: Bool { if case .untilEnd = state { true } else { false } }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: How many of them belong to the body.
  /// - Throws: The flaw of a chunked body.
  mutating func take(_ bytes: [UInt8]) throws(MessageReader.Failure) -> Int {
    var position = 0
    while position < bytes.count {
      switch state {
      case .complete: return position
      case .untilEnd:
        collect(bytes[position...])
        return bytes.count
      case .data(let left):
        let count = min(left, bytes.count - position)
        collect(bytes[position..<position + count])
        position += count
        state = left > count ? .data(left - count) : isChunked ? .line(.afterData) : .complete
      case .line(let kind):
        let byte = bytes[position]
        position += 1
        guard byte == UInt8(ascii: "\n") else {
          guard line.count < Self.maximumLineLength else { throw .malformed(.chunkTooLong) }
          line.append(byte)
          continue
        }
        guard line.popLast() == UInt8(ascii: "\r"), !line.contains(where: { $0 == UInt8(ascii: "\r") || $0 == 0 })
        else { throw .malformed(.bareLineEnd) }
        state = try next(after: kind)
        line = []
      }
    }
    return position
  }

  private mutating func next(after kind: Line) throws(MessageReader.Failure) -> State {
    switch kind {
    case .afterData:
      guard line.isEmpty else { throw .malformed(.malformedChunk) }
      return .line(.size)
    case .trailer:
      trailerLength += line.count
      guard trailerLength <= Self.maximumTrailerLength else { throw .malformed(.chunkTooLong) }
      return line.isEmpty ? .complete : .line(.trailer)
    case .size:
      guard let size = Self.size(line) else { throw .malformed(.malformedChunk) }
      return size == 0 ? .line(.trailer) : .data(size)
    }
  }

  /// Parses the size of a chunk, which white space or an extension may follow: at most 15 hexadecimal digits.
  private static func size(_ line: [UInt8]) -> Int? {
    let digits = line.prefix { (byte) in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
    let rest = line[digits.endIndex...].drop { (byte) in byte == 0x20 || byte == 0x09 }
    guard digits.count <= 15, rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func collect(_ bytes: ArraySlice<UInt8>) {
    if collects { content += bytes }
  }
}
