// SPDX-License-Identifier: Apache-2.0

/// Finds the end of a body in a stream of bytes.
struct BodyScanner {
  private enum State {
    case data(Int)
    /// A line of a chunked body, as far as it has arrived.
    case line(Line, [UInt8])
    case untilEnd
    case complete
  }

  private enum Line {
    case size
    case afterData
    case trailer
  }

  // 4 KiB  [a size takes some digits]
  private static let maximumLineLength = 1 << 12

  private var state: State

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
      case .chunked: .line(.size, [])
      case .untilEnd: .untilEnd
      }
  }

  var isComplete: Bool { if case .complete = state { true } else { false } }

  /// Whether the end of the stream is the end of the body.
  var endsWithStream: Bool { if case .untilEnd = state { true } else { false } }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: How many of them belong to the body; nil if a chunked body is malformed.
  mutating func take(_ bytes: [UInt8]) -> Int? {
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
        state = left > count ? .data(left - count) : isChunked ? .line(.afterData, []) : .complete
      case .line(let line, let start):
        let byte = bytes[position]
        position += 1
        guard byte == UInt8(ascii: "\n") else {
          guard start.count < Self.maximumLineLength else { return nil }
          state = .line(line, start + [byte])
          continue
        }
        guard let next = Self.state(after: line, start) else { return nil }
        state = next
      }
    }
    return position
  }

  private static func state(after line: Line, _ text: [UInt8]) -> State? {
    let text = text.last == UInt8(ascii: "\r") ? text.dropLast() : text[...]
    switch line {
    case .afterData: return text.isEmpty ? .line(.size, []) : nil
    case .trailer: return text.isEmpty ? .complete : .line(.trailer, [])
    case .size:
      let digits = String(decoding: text.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
      guard let size = Int(digits.prefix { $0 != " " }, radix: 16), size >= 0 else { return nil }
      return size == 0 ? .line(.trailer, []) : .data(size)
    }
  }

  private mutating func collect(_ bytes: ArraySlice<UInt8>) {
    if collects { content += bytes }
  }
}
