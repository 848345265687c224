// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// An access log, written in the background.
///
/// Lines are queued in memory, and a separate thread writes them. If the thread falls behind, or the file cannot be
/// written (full disk, blocked pipe), lines are dropped and counted. The next written line reports their number.
///
/// It is safe to use from any task, and no call waits for the file.
public final class AccessLog: Sendable {
  // 4 MiB  [some 16,000 lines, one or two seconds at the highest load]
  private static let maximumWaitingByteCount = 4 << 20

  // A fiftieth of a second  [no reader needs lines sooner, and a wake-up for each line costs more than the line]
  private static let batchInterval = Duration.milliseconds(20)

  // 1 s  [a reader that takes nothing for that long is not reading]
  private static let writingTimeLimit = Duration.seconds(1)

  private struct State {
    var waiting: [UInt8] = []
    var lostLines = 0
    var isEnded = false
  }

  /// The identifiers in a log line.
  ///
  /// The audit log keeps request IDs forever, including those of deleted accounts. A log with both identifiers would
  /// link a deleted account to its client address.
  public enum Identity: String, Sendable, CaseIterable {
    /// The request ID, which is also in the response and in the audit log, and no client address.
    case requestID = "request-id"
    /// The client address, and no request ID.
    case address
    /// Both. Delete such a log together with the personal details in the audit log.
    case both
  }

  private let identity: Identity
  private let state = Locked(State())

  /// Creates a log that writes to a descriptor, such as 1 for standard output. The caller owns the descriptor.
  public init(descriptor: Int32, naming identity: Identity = .requestID) {
    self.identity = identity
    let state = state
    let isWritten = SystemThread.start { Self.writeAll(to: FileDescriptor(number: descriptor), state) }
    if !isWritten { state.withLock { $0.isEnded = true } }
  }

  deinit {
    state.update { $0.isEnded = true }
  }

  /// The number of dropped lines that the log has not yet reported.
  package var lostLineCount: Int { state.withLock { $0.lostLines } }

  package func write(_ entry: AccessLogEntry) {
    let line = entry.line(naming: identity)
    let isFirst = state.withLock { (state) in
      let wasEmpty = state.waiting.isEmpty
      if state.isEnded || state.waiting.count + line.count > Self.maximumWaitingByteCount {
        state.lostLines += 1
      } else {
        state.waiting += line
      }
      return wasEmpty
    }
    // Only the first line of a batch wakes the writing thread, with everyone who waits in drain().
    if isFirst { state.update { (_) in } }
  }

  /// Blocks until all queued lines have been written or dropped, for one second at most.
  package func drain() {
    _ = state.wait(until: .now + Self.writingTimeLimit) { $0.waiting.isEmpty ? () : nil }
  }

  /// Writes queued lines until the log is released.
  private static func writeAll(to descriptor: FileDescriptor, _ state: Locked<State>) {
    var isWithinLine = false
    while true {
      let (lines, lost, isEnded) = state.withLock { ($0.waiting, $0.lostLines, $0.isEnded) }
      guard !lines.isEmpty else {
        if isEnded { return }
        state.wait { $0.waiting.isEmpty && !$0.isEnded ? nil : () }
        // Wait briefly, to write many lines at once.
        _ = state.wait(until: .now + batchInterval) { $0.isEnded ? () : nil }
        continue
      }
      // Start a new line after a partially written one.
      let text = (isWithinLine ? [UInt8(ascii: "\n")] : []) + lines + (lost > 0 ? lostLinesEntry(lost) : [])
      let written = write(text, to: descriptor)
      if written > 0 { isWithinLine = text[written - 1] != UInt8(ascii: "\n") }
      let missing = text[written...].count { $0 == UInt8(ascii: "\n") }
      state.update { (state) in
        state.waiting.removeFirst(min(lines.count, state.waiting.count))
        // If the entry with the count, which is the last line, was not written, the next one reports its count again.
        state.lostLines += missing == 0 ? -lost : missing - (lost > 0 ? 1 : 0)
      }
    }
  }

  /// Writes all bytes, and returns how many were written before an error or the time limit.
  private static func write(_ bytes: [UInt8], to descriptor: FileDescriptor) -> Int {
    var written = 0
    while true {
      do throws(SystemError) {
        try descriptor.write(bytes, counting: &written)
        return written
      } catch {
        guard error == .wouldBlock, descriptor.wait(for: .writing, until: .now + writingTimeLimit) else {
          return written
        }
      }
    }
  }

  private static func lostLinesEntry(_ lost: Int) -> [UInt8] {
    var line = JSON.writeObject { (object: inout JSONObjectWriter) in object.write("lostLines", .integer(lost)) }
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
