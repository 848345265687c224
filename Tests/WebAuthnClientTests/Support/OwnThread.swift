// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs what waits on a thread of its own: those that tasks share are few.
func onOwnThread(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
  let failure = unsafe pthread_create(
    &thread, nil,
    { (work) in
      guard let work = unsafe work else { return nil }
      unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }, work)
  precondition(failure == 0, "a test needs a thread")
  pthread_detach(thread)
}

/// Runs what waits on a thread of its own, and gives what came of it.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { (continuation) in
    onOwnThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
