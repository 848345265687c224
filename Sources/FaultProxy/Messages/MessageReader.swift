// SPDX-License-Identifier: Apache-2.0

internal import SystemIO

/// Reads the messages that arrive at a socket.
struct MessageReader {
  /// The reason why no message was read.
  enum Failure: Error {
    /// The peer has ended the connection.
    case ended
    /// The bytes are not HTTP/1.
    case malformed
    /// The message is larger than a proxy that has to read it whole accepts.
    case tooLarge
  }

  // 64 KiB  [servers accept 8 to 16 KiB]
  private static let maximumHeadLength = 1 << 16

  // 64 MiB  [a message that is changed, repeated or delayed is in memory]
  private static let maximumBodyLength = 64 << 20

  let socket: FileDescriptor
  private var unread: [UInt8] = []

  init(_ socket: FileDescriptor) {
    self.socket = socket
  }

  /// Whether bytes have arrived that were not read yet.
  var hasUnread: Bool { !unread.isEmpty }

  /// Reads a head.
  mutating func head() throws(Failure) -> HTTPHead {
    while true {
      if let end = Self.endOfHead(unread) {
        let bytes = Array(unread[..<end])
        unread.removeFirst(end)
        guard let head = HTTPHead(bytes) else { throw .malformed }
        return head
      }
      guard unread.count < Self.maximumHeadLength else { throw .malformed }
      try fill()
    }
  }

  /// Reads a body piece by piece, as it arrives.
  ///
  /// `use` takes a piece, and returns whether it wants the next one. Returns the content if `collecting` is true.
  mutating func body(
    _ framing: BodyFraming, collecting: Bool = false, _ use: ([UInt8]) -> Bool
  ) throws(Failure) -> [UInt8] {
    var scanner = BodyScanner(framing, collecting: collecting)
    while !scanner.isComplete {
      if unread.isEmpty {
        do throws(Failure) {
          try fill()
        } catch {
          if case .ended = error, scanner.endsWithStream { break }
          throw error
        }
      }
      guard let count = scanner.take(unread) else { throw .malformed }
      let piece = Array(unread[..<count])
      unread.removeFirst(count)
      guard scanner.content.count <= Self.maximumBodyLength else { throw .tooLarge }
      guard piece.isEmpty || use(piece) else { break }
    }
    return scanner.content
  }

  /// Reads a whole body.
  mutating func wholeBody(_ framing: BodyFraming) throws(Failure) -> (raw: [UInt8], content: [UInt8]) {
    var raw: [UInt8] = []
    let content = try body(framing, collecting: true) { (piece) in
      raw += piece
      return true
    }
    return (raw, content)
  }

  /// Returns the bytes that have arrived behind the last message, and forgets them.
  mutating func rest() -> [UInt8] {
    defer { unread = [] }
    return unread
  }

  private mutating func fill() throws(Failure) {
    guard let bytes = try? socket.read(upTo: 1 << 16), !bytes.isEmpty else { throw .ended }
    unread += bytes
  }

  /// The index behind the empty line that ends a head.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    var lineStart = bytes.startIndex
    while let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[lineStart..<end]
      if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) {
        // Empty lines before the start line are ignored (RFC 9112 §2.2).
        if bytes[..<lineStart].contains(where: { $0 != 0x0a && $0 != 0x0d }) { return end + 1 }
      }
      lineStart = end + 1
    }
    return nil
  }
}
