// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// A running adapter: a program that answers each line of its standard input with a line of JSON.
///
/// Its methods block. They are for a ``SystemThread``, where writing to a program that has ended is an error and not a signal.
struct AdapterProcess {
  /// The reason why an adapter gave no answer.
  enum Failure: Error {
    case notStarted(SystemError)
    case late(Duration)
    case ended(ChildProcess.End)
    case garbage([UInt8])

    /// The reason, without control characters.
    var description: String {
      switch self {
      case .notStarted(let error): "cannot be started: \(error.message)"
      case .late(let limit): "no answer within \(limit.components.seconds) s"
      case .ended(.exited(let code)): "ended with exit code \(code)"
      case .ended(.signaled(let signal)): "ended by signal \(signal)"
      case .ended(.unknown): "ended"
      case .garbage(let line):
        "not an answer: \(String(decoding: line.prefix(60), as: UTF8.self).quotedForTerminal)"
      }
    }
  }

  // 1 MiB  [an answer has a few members]
  private static let maximumLineLength = 1 << 20

  private let child: ChildProcess
  private let input: FileDescriptor
  private let output: FileDescriptor
  private var unread: [UInt8] = []

  /// Starts a shell command. It inherits standard error.
  init(_ command: String) throws(Failure) {
    do throws(SystemError) {
      let requests = try Pipe()
      let answers: Pipe
      do throws(SystemError) {
        answers = try Pipe()
      } catch {
        requests.reading.close()
        requests.writing.close()
        throw error
      }
      defer {
        requests.reading.close()
        answers.writing.close()
      }
      do throws(SystemError) {
        try requests.writing.disableBlocking()
        child = try ChildProcess(
          ["/bin/sh", "-c", command], streams: [requests.reading, answers.writing, nil], isInNewSession: true)
      } catch {
        requests.writing.close()
        answers.reading.close()
        throw error
      }
      (input, output) = (requests.writing, answers.reading)
    } catch {
      throw .notStarted(error)
    }
  }

  /// Sends a line and returns the answer to it.
  mutating func answer(to line: [UInt8], within limit: Duration) throws(Failure) -> JSONValue {
    let deadline = ContinuousClock.now + limit
    try send(line, until: deadline, limit)
    let answer = try receiveLine(until: deadline, limit)
    guard let value = try? JSON.parse(answer[...]), value.kind == .object else { throw .garbage(answer) }
    return value
  }

  /// Asks the program to end, by the end of its input, and kills it if it does not.
  func end(within limit: Duration) {
    input.close()
    if child.waitForEnd(until: .now + limit) == nil { child.killSession() }
    output.close()
  }

  private func send(_ line: [UInt8], until deadline: ContinuousClock.Instant, _ limit: Duration) throws(Failure) {
    var rest = line[...]
    while !rest.isEmpty {
      var written = 0
      do throws(SystemError) {
        try input.write(rest, counting: &written)
      } catch  where error == .wouldBlock {
        guard input.wait(for: .writing, until: deadline) else { throw .late(limit) }
      } catch {
        throw failure(until: deadline, limit)
      }
      rest = rest.dropFirst(written)
    }
  }

  private mutating func receiveLine(
    until deadline: ContinuousClock.Instant, _ limit: Duration
  ) throws(Failure) -> [UInt8] {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return Array(unread[..<end])
      }
      guard unread.count < Self.maximumLineLength else { throw .garbage(unread) }
      guard output.wait(for: .reading, until: deadline) else { throw .late(limit) }
      guard let bytes = try? output.read(upTo: 1 << 16), !bytes.isEmpty else { throw failure(until: deadline, limit) }
      unread += bytes
    }
  }

  /// The failure of a program that has closed one of its streams.
  private func failure(until deadline: ContinuousClock.Instant, _ limit: Duration) -> Failure {
    child.waitForEnd(until: deadline).map { .ended($0) } ?? .late(limit)
  }
}
