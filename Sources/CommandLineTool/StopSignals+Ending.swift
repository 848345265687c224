// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemThreads

extension StopSignals {
  /// Does a last thing when the first signal comes, and lets the process end as it would have without it.
  package func endProcess(after body: @escaping @Sendable () -> Void) {
    let isWaiting = OwnThread.start {
      let number = StopSignals().wait()
      body()
      raise(number)
    }
    // Without a thread the last thing is not done, and the signals end the process at once, as ever.
    if !isWaiting { release() }
  }
}
