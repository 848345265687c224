// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemCrypto

/// Waits for asynchronous work: commands are synchronous, and devices are not.
///
/// For a command alone, which has a thread of its own. Elsewhere there is `await`.
package enum Blocking {
  package static func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0, let (reading, writing) = pair(ends) else { throw failure(errno) }
    defer { close(reading) }
    // A program that the work starts must not hold the end that says when the work is done.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let outcome = Locked<Result<Value, CommandFailure>?>(nil)
    Task {
      let result: Result<Value, CommandFailure>
      do throws(CommandFailure) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { (outcome) in outcome = result }
      close(writing)
    }
    // Nothing is ever written: the end of the pipe is the end of the work.
    do throws(SystemError) {
      _ = try FileDescriptor(number: reading).readToEnd(limit: 0)
    } catch {
      throw failure(error.number)
    }
    guard let result = outcome.withLock({ (outcome) in outcome }) else { throw failure(EPIPE) }
    return try result.get()
  }

  private static func pair(_ ends: [Int32]) -> (Int32, Int32)? {
    guard let reading = ends.first, let writing = ends.last else { return nil }
    return (reading, writing)
  }

  private static func failure(_ number: Int32) -> CommandFailure {
    .inputOutput("cannot wait: \(SystemError(number: number).message.lowercased())")
  }
}
