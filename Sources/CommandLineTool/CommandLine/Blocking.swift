// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemCrypto
internal import SystemIO

/// Runs asynchronous work from a synchronous command.
///
/// Use it only on a command's own thread. Elsewhere use `await`.
package enum Blocking {
  /// Runs `work` and blocks until it ends.
  ///
  /// With `untilInterrupted`, Ctrl-C cancels the work. The call still waits for it, because the work reports what it
  /// did. A second Ctrl-C at least a second later ends the process.
  package static func wait<Value: Sendable>(
    untilInterrupted: Bool = false,
    for work: @escaping @Sendable () async throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0, let (reading, writing) = pair(ends) else { throw failure(errno) }
    defer { close(reading) }
    // A child process must not inherit the writing end, whose closing signals the end of the work.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let outcome = Locked<Result<Value, CommandFailure>?>(nil)
    if untilInterrupted { Interruption.begin() }
    defer { if untilInterrupted { Interruption.end() } }
    let task = Task {
      let result: Result<Value, CommandFailure>
      do throws(CommandFailure) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { (outcome) in outcome = result }
      close(writing)
    }
    if untilInterrupted { waitForInterruption(orEndOf: reading) { task.cancel() } }
    // Nothing is written to the pipe. Reading returns when the work closes it.
    do throws(SystemError) {
      _ = try FileDescriptor(number: reading).readToEnd(limit: 0)
    } catch {
      throw failure(error.number)
    }
    guard let result = outcome.withLock({ (outcome) in outcome }) else { throw failure(EPIPE) }
    return try result.get()
  }

  // 1 s [a double press of Ctrl-C is one interruption]
  private static let hurry = Duration.seconds(1)

  /// Waits until the pipe closes. Ctrl-C cancels the work.
  private static func waitForInterruption(orEndOf pipe: Int32, cancel: () -> Void) {
    var waiting = [
      pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&waiting, 2, -1)
      if count < 0, errno != EINTR { return }
      guard count > 0 else { continue }
      if waiting[0].revents != 0 { return }
      if waiting[1].revents != 0 { break }
    }
    cancel()
    let start = ContinuousClock.now
    var ignored = Interruption.count
    while unsafe poll(&waiting, 1, 50) <= 0 {
      let count = Interruption.count
      if ContinuousClock.now - start < hurry {
        ignored = count
      } else if count > ignored {
        Interruption.end()
        raise(SIGINT)
      }
    }
  }

  private static func pair(_ ends: [Int32]) -> (Int32, Int32)? {
    guard let reading = ends.first, let writing = ends.last else { return nil }
    return (reading, writing)
  }

  private static func failure(_ number: Int32) -> CommandFailure {
    .inputOutput("cannot wait: \(SystemError(number: number).message.lowercased())")
  }
}
