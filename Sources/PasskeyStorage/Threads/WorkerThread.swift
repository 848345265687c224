// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// Runs calls that block on a disk or a socket.
enum WorkerThread {
  /// Runs `body` on a thread of its own and suspends the calling task until it returns.
  ///
  /// - Throws: The error of `body`; `unavailable` if the system cannot create a thread.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    guard let value = try await SystemThread.run(body) else {
      throw StorageError(.unavailable, "the system has no thread left")
    }
    return value
  }
}
