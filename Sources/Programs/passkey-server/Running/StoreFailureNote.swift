// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem

/// Notes failures of the store, at most one a minute: a deliverer tries again every second.
final class StoreFailureNote: Sendable {
  private let last = Locked<ContinuousClock.Instant?>(nil)

  func note(_ error: ServiceError) {
    let isDue = last.withLock { (last) in
      let now = ContinuousClock.now
      if let noted = last, noted + .seconds(60) > now { return false }
      last = now
      return true
    }
    if isDue { Diagnostics.server.note("cannot use the outbox now: \("\(error)".escapedForTerminal)") }
  }
}
