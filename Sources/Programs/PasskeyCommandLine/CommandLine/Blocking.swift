// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeySystem

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
    let outcome = Locked<Result<Value, CommandFailure>?>(nil)
    let wakeUp: WakeUp? = if untilInterrupted { try? WakeUp() } else { nil }
    if wakeUp != nil { Interruption.begin() }
    defer { if wakeUp != nil { Interruption.end() } }
    let task = Task {
      let result: Result<Value, CommandFailure>
      do throws(CommandFailure) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.update { (outcome) in outcome = result }
      wakeUp?.ring()
    }
    if let wakeUp {
      waitForInterruption(or: wakeUp.descriptor) { task.cancel() }
      // Its descriptors stay open until here.
      withExtendedLifetime(wakeUp) {}
    }
    return try outcome.wait { (outcome) in outcome }.get()
  }

  /// Runs `body`, which blocks, on a thread of its own, and suspends the calling task until it returns.
  package static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(CommandFailure) -> Value
  ) async throws(CommandFailure) -> Value {
    guard let value = try await SystemThread.run(body) else {
      throw .inputOutput("the system cannot start a thread", hint: "try again later")
    }
    return value
  }

  // 1 s [a double press of Ctrl-C is one interruption]
  private static let hurry = Duration.seconds(1)

  /// Waits until the work ends. Ctrl-C cancels the work.
  private static func waitForInterruption(or end: FileDescriptor, cancel: () -> Void) {
    guard !FileDescriptor.wait(for: [(end, .reading), (Interruption.descriptor, .reading)])[0] else { return }
    cancel()
    guard !end.wait(for: .reading, until: .now + hurry) else { return }
    // From here on, Ctrl-C ends the process.
    Interruption.end()
    _ = end.wait(for: .reading)
  }
}
