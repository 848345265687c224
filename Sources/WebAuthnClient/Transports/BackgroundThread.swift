// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread for work that waits: nothing that waits belongs on the threads that tasks share.
enum BackgroundThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts a thread to which no signal comes; false where the system has none.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    // A thread begins with what its maker holds back.
    unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
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
