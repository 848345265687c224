// SPDX-License-Identifier: Apache-2.0

internal import SystemIO

/// The system could not create a thread.
package struct NoThread: Error {
}

/// Runs blocking work on its own thread and returns its result.
package func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  guard let result = try await SystemThread.run(body) else { throw NoThread() }
  return result
}

/// Runs blocking work on its own thread.
package func onOwnThread(_ body: @escaping @Sendable () -> Void) {
  let isStarted = SystemThread.start(body)
  precondition(isStarted, "a test needs a thread")
}
