// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Runs what waits on a thread of its own. The threads that tasks share are few, and queues take theirs from the same
/// pool: what waits on a queue holds tasks up as well.
package func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { (continuation) in
    OwnThread.start { continuation.resume(with: Swift.Result { try body() }) }
  }
}

private final class OwnThread {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = unsafe Unmanaged.passRetained(OwnThread(body)).toOpaque()
    let failure = unsafe pthread_create(
      &thread, nil,
      { (work) in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<OwnThread>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work)
    precondition(failure == 0, "a test needs a thread")
    pthread_detach(thread)
  }
}
