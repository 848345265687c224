// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread for work that waits for a person: the threads that tasks share wait for nobody.
enum OwnThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// What the work gives; nil where the system has no thread for it.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value?) async -> Value? {
    await withCheckedContinuation { (continuation) in
      let isStarted = start { continuation.resume(returning: work()) }
      if !isStarted { continuation.resume(returning: nil) }
    }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    let failure = unsafe pthread_create(
      &thread, nil,
      { (work) in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work)
    guard failure == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(work).release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
