// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// Forwards the bytes of a connection, whatever their protocol.
struct ByteRelay {
  private static let chunkSize = 1 << 16

  // 256  [faults of requests without a reply; more would all apply to one chunk of the server]
  private static let maximumWaitingCount = 256

  private let line: ProxyLine
  private let limits: ProxyLimits
  private let book: RuleBook
  private let report: @Sendable (ProxyEvent) -> Void

  /// Faults that wait for the server's next bytes.
  private let waiting = Locked<[FaultRule]>([])

  /// When bytes have last arrived from either side.
  private let lastArrival = Locked(ContinuousClock.now)

  init(
    _ line: ProxyLine, _ book: RuleBook, _ limits: ProxyLimits, _ report: @escaping @Sendable (ProxyEvent) -> Void
  ) {
    self.line = line
    self.limits = limits
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
    while let chunk = next(from: line.client) {
      let faults = book.faults(in: chunk)
      tell(faults)
      // Before the server can answer.
      waiting.withLock { (waiting) in
        waiting = Array((waiting + faults.filter { $0.direction == .reply }).prefix(Self.maximumWaitingCount))
      }
      guard apply(faults.filter { $0.direction == .request }, to: chunk, for: line.server) else { return }
    }
    line.server.shutDown(.sending)
  }

  /// From the server to the client.
  private func answer() {
    while let chunk = next(from: line.server) {
      let faults = waiting.withLock { (waiting) in
        defer { waiting = [] }
        return waiting
      }
      guard apply(faults, to: chunk, for: line.client) else { return }
    }
    line.end()
  }

  /// Waits for bytes. Returns nil at the end, or if both sides have sent nothing for long.
  private func next(from sender: FileDescriptor) -> [UInt8]? {
    while true {
      let deadline = lastArrival.withLock { (moment) in moment } + limits.byteIdleDuration
      if sender.wait(for: .reading, until: deadline) {
        guard let chunk = try? sender.read(upTo: Self.chunkSize), !chunk.isEmpty else { return nil }
        lastArrival.withLock { (moment) in moment = .now }
        return chunk
      }
      let isIdle = lastArrival.withLock { (moment) in moment } + limits.byteIdleDuration <= .now
      if isIdle {
        line.end()
        return nil
      }
    }
  }

  private func deliver(_ bytes: [UInt8], to receiver: FileDescriptor) -> Bool {
    receiver.deliver(bytes, within: limits.sendDuration)
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
        _ = deliver(Array(chunk.prefix(count)), to: receiver)
        if fault.direction == .request { line.reset() } else { loseReply() }
        return false
      case .truncate(let count):
        _ = deliver(Array(chunk.prefix(count)), to: receiver)
        line.end()
        return false
      case .reorder, .change, .status: break  // These rules match requests only.
      }
    }
    for _ in 0..<copies {
      guard deliver(chunk, to: receiver) else {
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
    while next(from: line.server) != nil {}
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
