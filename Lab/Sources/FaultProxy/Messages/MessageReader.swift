// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// Reads the messages that arrive at a socket.
struct MessageReader {
  /// The reason why no message was read.
  enum Failure: Error {
    /// The peer has ended the connection.
    case ended
    /// The peer sends too slowly, or nothing any more.
    case tooSlow
    /// The message is larger than a proxy that has to read it whole accepts.
    case tooLarge
    /// The bytes are not a message with a clear end.
    case malformed(HTTPFlaw)
  }

  /// How long a reader waits for bytes.
  enum Pace {
    /// This long each time.
    case each(Duration)
    /// Until then in total.
    case until(ContinuousClock.Instant)
  }

  let socket: FileDescriptor
  var pace: Pace
  private let limits: ProxyLimits
  private let held: HeldBytes
  private var heldCount = 0
  private var unread: [UInt8] = []

  init(_ socket: FileDescriptor, _ limits: ProxyLimits, _ held: HeldBytes) {
    self.socket = socket
    self.limits = limits
    self.held = held
    pace = .each(limits.silenceDuration)
  }

  /// Whether bytes of a message have arrived that were not read yet.
  var hasUnread: Bool { unread.contains { (byte) in byte != 0x0a && byte != 0x0d } }

  /// Reads a head.
  mutating func head(_ kind: HTTPHead.Kind) throws(Failure) -> HTTPHead {
    while true {
      if let end = Self.endOfHead(unread) {
        guard end <= limits.headByteCount else { throw .malformed(.headTooLong) }
        let bytes = Array(unread[..<end])
        unread.removeFirst(end)
        return try HTTPHead(bytes, as: kind)
      }
      guard unread.count < limits.headByteCount else { throw .malformed(.headTooLong) }
      try fill()
    }
  }

  /// Reads a body piece by piece, as it arrives. `use` takes a piece, and returns whether it wants the next one.
  mutating func body(_ framing: BodyFraming, _ use: ([UInt8]) -> Bool) throws(Failure) {
    var scanner = BodyScanner(framing, collecting: false)
    while let piece = try nextPiece(of: &scanner), use(piece) {}
  }

  /// Reads a whole body, whose bytes count as kept until ``release()``.
  mutating func wholeBody(_ framing: BodyFraming) throws(Failure) -> (raw: [UInt8], content: [UInt8]) {
    if case .length(let count) = framing, count > limits.messageByteCount { throw .tooLarge }
    var scanner = BodyScanner(framing, collecting: true)
    var raw: [UInt8] = []
    while let piece = try nextPiece(of: &scanner) {
      // The sizes and extensions of chunks take memory too.
      guard piece.count <= limits.messageByteCount - raw.count, held.take(piece.count) else { throw .tooLarge }
      heldCount += piece.count
      raw += piece
    }
    return (raw, scanner.content)
  }

  /// Ends the count of the bytes of whole bodies as kept.
  mutating func release() {
    held.release(heldCount)
    heldCount = 0
  }

  /// Returns the bytes that have arrived behind the last message, and forgets them.
  mutating func rest() -> [UInt8] {
    defer { unread = [] }
    return unread
  }

  /// Takes bytes that have arrived already.
  ///
  /// - Throws: ``Failure/ended`` if the peer has ended the connection.
  mutating func takeArrived() throws(Failure) {
    if socket.wait(for: .reading, until: .now) { try fill() }
  }

  /// Returns nil at the end of the body.
  private mutating func nextPiece(of scanner: inout BodyScanner) throws(Failure) -> [UInt8]? {
    guard !scanner.isComplete else { return nil }
    if unread.isEmpty {
      do throws(Failure) {
        try fill()
      } catch {
        if case .ended = error, scanner.endsWithStream { return nil }
        throw error
      }
    }
    let count = try scanner.take(unread)
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  private mutating func fill() throws(Failure) {
    let deadline =
      switch pace {
      case .each(let duration): ContinuousClock.now + duration
      case .until(let moment): moment
      }
    guard socket.wait(for: .reading, until: deadline) else { throw .tooSlow }
    guard let bytes = try? socket.read(upTo: 1 << 16), !bytes.isEmpty else { throw .ended }
    unread += bytes
  }

  /// The index behind the empty line that ends a head.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    var lineStart = bytes.startIndex
    var hasStarted = false
    while let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[lineStart..<end]
      let isEmpty = line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")])
      if isEmpty, hasStarted { return end + 1 }
      if !isEmpty { hasStarted = true }
      lineStart = end + 1
    }
    return nil
  }
}
