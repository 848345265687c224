// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// Writes a line for each request, behind the back of those who answer them.
///
/// Lines wait in memory and a thread of its own writes them. Where it does not keep up, or where the file cannot take
/// them (a full disk, a pipe that nobody reads), lines are lost and counted, and the service goes on: the next line that
/// can be written says how many are missing.
public final class AccessLog: Sendable {
  // 4 MiB  [some 16,000 lines, which is a second or two of the highest load]
  private static let maximumWaitingByteCount = 4 << 20

  // A fiftieth of a second  [nobody reads faster, and a thread that wakes for each line costs more than the line]
  private static let batchSeconds = 0.02

  private struct State {
    var waiting: [UInt8] = []
    var lostLines = 0
    var isEnded = false
  }

  /// What a line names.
  ///
  /// The audit trail keeps request ids for ever, also those of accounts that were erased. A log with both would tell from
  /// which address an erased person came.
  public enum Identity: String, Sendable, CaseIterable {
    /// The request's id, which the answer and the audit trail have too, and no client address.
    case requestID = "request-id"
    /// The client's address, and no request id.
    case address
    /// Both: delete such a log as soon as the personal details in the audit trail.
    case both
  }

  private let descriptor: Int32
  private let identity: Identity
  private let state = Locked(State())
  private let bell = Bell()

  /// A log that writes to a descriptor, which stays the caller's: 1 is standard output.
  public init(descriptor: Int32, naming identity: Identity = .requestID) {
    self.descriptor = descriptor
    self.identity = identity
    let (descriptor, state, bell) = (descriptor, state, bell)
    let isWritten = SystemThread.start {
      Self.writeAll(to: descriptor, state, bell)
    }
    if !isWritten { state.withLock { $0.isEnded = true } }
  }

  deinit {
    state.withLock { $0.isEnded = true }
    bell.ring()
  }

  /// How many lines were lost and not yet told of.
  public var lostLineCount: Int { state.withLock { $0.lostLines } }

  func write(_ entry: AccessLogEntry) {
    let line = entry.line(naming: identity)
    let wasEmpty = state.withLock { (state) in
      let wasEmpty = state.waiting.isEmpty
      if state.isEnded || state.waiting.count + line.count > Self.maximumWaitingByteCount {
        state.lostLines += 1
      } else {
        state.waiting += line
      }
      return wasEmpty
    }
    if wasEmpty { bell.ring() }
  }

  /// Waits until everything that was told before has been written, or has been lost.
  func drain() async {
    for _ in 0..<200 {
      if state.withLock({ $0.waiting.isEmpty }) { return }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Writes what comes until the log is let go.
  private static func writeAll(to descriptor: Int32, _ state: Locked<State>, _ bell: Bell) {
    var isWithinLine = false
    while true {
      let (lines, lost, isEnded) = state.withLock { ($0.waiting, $0.lostLines, $0.isEnded) }
      guard !lines.isEmpty else {
        if isEnded { return }
        bell.wait()
        // What comes in the next moment goes out with it: one write for many lines.
        bell.wait(seconds: batchSeconds)
        continue
      }
      // A line that was broken off stays alone.
      let text = (isWithinLine ? [UInt8(ascii: "\n")] : []) + lines + (lost > 0 ? notice(lost) : [])
      let written = Descriptor.write(text, to: descriptor)
      if written > 0 { isWithinLine = text[written - 1] != UInt8(ascii: "\n") }
      let missing = text[written...].count { $0 == UInt8(ascii: "\n") }
      state.withLock { (state) in
        state.waiting.removeFirst(min(lines.count, state.waiting.count))
        // The notice, which is the last line, went out, or it is told again.
        state.lostLines += missing == 0 ? -lost : missing - (lost > 0 ? 1 : 0)
      }
    }
  }

  private static func notice(_ lost: Int) -> [UInt8] {
    var line = JSON.writeObject { (object: inout JSONObjectWriter) in object.write("lostLines", .integer(lost)) }
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
