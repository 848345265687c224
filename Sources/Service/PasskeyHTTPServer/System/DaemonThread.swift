// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyMicroHTTPD
internal import Glibc
internal import PasskeyCrypto
internal import PasskeySystem

/// The thread of a daemon. It reads and writes the daemon's connections, and runs the tasks of their requests.
///
/// A request therefore leaves its thread only while it waits, such as for the disk.
@safe final class DaemonThread: TaskExecutor, @unchecked Sendable {  // The lock guards the state.
  private struct State {
    var jobs: [UnownedJob] = []
    var thread: pthread_t?
    var hasEnded = false

    /// Whether the caller runs on the thread. It looks for jobs and resumed connections before it waits again.
    var isCurrent: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  let daemon: DaemonState
  /// The descriptor that wakes the thread, or -1.
  let waker = passkey_make_waker()
  private let state = Locked(State())

  /// One thread per processor, because the threads run the requests; at most 16.
  // [a database commits fewer sign-ins than 16 threads serve; a container may have less than the processors of its host]
  static var defaultCount: Int { min(max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))), 16) }

  init(_ daemon: DaemonState) {
    self.daemon = daemon
  }

  deinit {
    FileDescriptor(number: waker).close()
  }

  /// Starts the thread. Returns false if the system cannot create another one.
  func start(_ handle: DaemonHandle) -> Bool {
    for count in [daemon.runningCount, daemon.acceptingCount] { count.update { $0 += 1 } }
    let isStarted = SystemThread.start { [self] in
      state.withLock { $0.thread = pthread_self() }
      serve(handle)
      daemon.runningCount.update { $0 -= 1 }
    }
    if !isStarted { for count in [daemon.runningCount, daemon.acceptingCount] { count.update { $0 -= 1 } } }
    return isStarted
  }

  private func serve(_ handle: DaemonHandle) {
    var accepts = true
    var hasJobs = false
    while !daemon.isStopping {
      if accepts, daemon.isQuiesced {
        // On any other thread it can abort the process: both threads would remove the listening socket.
        _ = unsafe MHD_quiesce_daemon(handle.pointer)
        accepts = false
        daemon.acceptingCount.update { $0 -= 1 }
      }
      _ = unsafe MHD_run_wait(handle.pointer, hasJobs ? 0 : Self.longestWait)
      hasJobs = runJobs()
    }
    end()
  }

  // 100 milliseconds  [the time that 128 requests at once may wait for another event; ten calls a second cost nothing]
  private static let longestWait: Int32 = 100

  /// Runs the jobs that wait. Returns whether others came meanwhile.
  private func runJobs() -> Bool {
    let jobs = state.withLock { (state) in
      defer { state.jobs = [] }
      return state.jobs
    }
    guard !jobs.isEmpty else { return false }
    for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    return state.withLock { !$0.jobs.isEmpty }
  }

  /// Lets the pool run the jobs that wait, and later ones: those of requests that were given up, which may never end.
  private func end() {
    let jobs = state.withLock { (state) in
      defer { state.jobs = [] }
      state.hasEnded = true
      return state.jobs
    }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
  }

  /// Runs a job on this thread, and after its end on the pool.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isKept, hasToWake) = state.withLock { (state) in
      guard !state.hasEnded else { return (false, false) }
      state.jobs.append(job)
      // The first one has woken the thread.
      return (true, state.jobs.count == 1 && !state.isCurrent)
    }
    if !isKept { globalConcurrentExecutor.enqueue(job) }
    if hasToWake { passkey_wake(waker) }
  }

  /// Makes the thread see a resumed connection or its end at once.
  func wake() {
    if !state.withLock({ $0.isCurrent }) { passkey_wake(waker) }
  }
}
