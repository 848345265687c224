// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension StopSignals {
  /// Does a last thing when the first signal comes, and lets the process end as it would have without it.
  package func endProcess(after body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = unsafe Unmanaged.passRetained(LastThing(body)).toOpaque()
    let failure = unsafe pthread_create(
      &thread, nil,
      { (work) in
        guard let work = unsafe work else { return nil }
        let last = unsafe Unmanaged<LastThing>.fromOpaque(work).takeRetainedValue()
        let number = StopSignals().wait()
        last.body()
        raise(number)
        return nil
      }, work)
    guard failure == 0 else {
      // Without a thread the last thing is not done, and the signals end the process at once, as ever.
      unsafe Unmanaged<LastThing>.fromOpaque(work).release()
      return release()
    }
    pthread_detach(thread)
  }
}

private final class LastThing: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
