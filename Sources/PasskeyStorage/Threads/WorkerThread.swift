// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyService
internal import SystemThreads

/// A thread of our own, for calls that wait in the system: a disk, a socket.
enum WorkerThread {
  /// Runs `body` in a thread of its own, and waits for its value without holding one.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    guard let value = try await OwnThread.run(body) else {
      throw StorageError(.unavailable, "the system has no thread left")
    }
    return value
  }

  /// Waits, in the caller's thread.
  static func sleep(until moment: ContinuousClock.Instant) {
    while true {
      let left = ContinuousClock.now.duration(to: moment)
      guard left > .zero else { return }
      usleep(UInt32(min(left.milliseconds, 1000)) * 1000)
    }
  }
}
