// SPDX-License-Identifier: Apache-2.0

internal import SystemIO

/// Forwards the bytes of a connection, whatever their protocol.
struct ByteRelay {
  private static let chunkSize = 1 << 16

  private let line: ProxyLine
  private let book: RuleBook
  private let report: @Sendable (ProxyEvent) -> Void

  /// Faults that wait for the server's next bytes.
  private let waiting = Locked<[FaultRule]>([])

  init(_ line: ProxyLine, _ book: RuleBook, _ report: @escaping @Sendable (ProxyEvent) -> Void) {
    self.line = line
    self.book = book
    self.report = report
  }

  /// Forwards until one side ends.
  func run() {
    let isStarted = SystemThread.start { [self] in forward() }
    guard isStarted else { return line.reset() }
    answer()
  }

  /// From the client to the server.
  private func forward() {
    while let chunk = try? line.client.read(upTo: Self.chunkSize), !chunk.isEmpty {
      let faults = book.faults(in: chunk)
      tell(faults)
      // Before the server can answer.
      waiting.withLock { (waiting) in waiting += faults.filter { $0.direction == .reply } }
      guard apply(faults.filter { $0.direction == .request }, to: chunk, for: line.server) else { return }
    }
    line.server.shutDown(.sending)
  }

  /// From the server to the client.
  private func answer() {
    while let chunk = try? line.server.read(upTo: Self.chunkSize), !chunk.isEmpty {
      let faults = waiting.withLock { (waiting) in
        defer { waiting = [] }
        return waiting
      }
      guard apply(faults, to: chunk, for: line.client) else { return }
    }
    line.end()
  }

  /// Sends a chunk with its faults.
  ///
  /// - Returns: Whether the connection goes on.
  private func apply(_ faults: [FaultRule], to chunk: [UInt8], for receiver: FileDescriptor) -> Bool {
    var copies = 1
    for fault in faults {
      switch fault.action {
      case .delay(let duration): SystemThread.sleep(until: .now + duration)
      case .duplicate: copies = 2
      case .cut(let count):
        try? receiver.sendAll(Array(chunk.prefix(count)))
        if fault.direction == .request { line.reset() } else { loseReply() }
        return false
      case .truncate(let count):
        try? receiver.sendAll(Array(chunk.prefix(count)))
        line.end()
        return false
      case .reorder, .change, .status: break  // These rules match requests only.
      }
    }
    for _ in 0..<copies {
      guard (try? receiver.sendAll(chunk)) != nil else {
        line.end()
        return false
      }
    }
    return true
  }

  /// Resets the client's connection, and lets the server finish: a reset could discard bytes that it has not read yet.
  private func loseReply() {
    line.client.reset()
    line.server.shutDown(.sending)
    while let chunk = try? line.server.read(upTo: Self.chunkSize), !chunk.isEmpty {}
  }

  private func tell(_ faults: [FaultRule]) {
    for fault in faults {
      guard case .word(let word) = fault.match else { continue }
      var event = ProxyEvent(connection: line.number, subject: "\"\(word)\"")
      event.faults = [fault]
      report(event)
    }
  }
}
