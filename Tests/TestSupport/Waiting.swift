// SPDX-License-Identifier: Apache-2.0

internal import SystemThreads

/// The system had no thread left for something that waits.
package struct NoThread: Error {
}

/// Runs what waits on a thread of its own, and gives what came of it.
package func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  guard let result = try await OwnThread.run(body) else { throw NoThread() }
  return result
}

/// Runs what waits on a thread of its own.
package func onOwnThread(_ body: @escaping @Sendable () -> Void) {
  let isStarted = OwnThread.start(body)
  precondition(isStarted, "a test needs a thread")
}
