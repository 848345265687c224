// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A counting semaphore: one thread waits, any thread signals.
@safe final class Bell: @unchecked Sendable {  // POSIX semaphores are thread-safe.
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func ring() {
    unsafe sem_post(semaphore)
  }

  func wait() {
    while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
  }

  /// Waits for a signal, at most this long.
  func wait(seconds: Double) {
    var moment = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &moment)
    let nanoseconds = moment.tv_nsec + Int(seconds.truncatingRemainder(dividingBy: 1) * 1_000_000_000)
    moment.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    moment.tv_nsec = nanoseconds % 1_000_000_000
    while unsafe sem_timedwait(semaphore, &moment) != 0, errno == EINTR {}
  }
}
