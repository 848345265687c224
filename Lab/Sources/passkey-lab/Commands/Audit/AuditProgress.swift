// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeySystem

/// The progress of an audit: a line on a terminal, and notes about a server that limits requests.
struct AuditProgress: Sendable {
  private let line = ProgressLine()
  private let state = Locked(State())

  private struct State {
    var text = ""
    /// The length of the pauses at which the next note is due.
    var due = Duration.zero
  }

  // 30 s [an audit with pauses takes many minutes]
  private static let interval = Duration.seconds(30)

  func show(_ check: Check, _ done: Int, _ all: Int) {
    let text = "\(done)/\(all) \(check.id)"
    state.withLock { $0.text = text }
    line.show(text)
  }

  /// Says that the server limits requests, and later how far the audit is. `paused` is the length of all pauses so far.
  func wait(after paused: Duration) {
    let (text, isDue) = state.withLock { (state) in
      guard paused >= state.due else { return (state.text, false) }
      state.due = paused + Self.interval
      return (state.text, true)
    }
    if isDue {
      line.clear()
      let seconds = paused.components.seconds
      Diagnostics.passkey.note(
        seconds == 0 ? RateLimitNote.text : "waited \(seconds) s because the server limits us (429): \(text)")
    }
    line.show("\(text): waiting, because the server limits us (429)")
  }

  /// Says what the audit waits for.
  func wait(_ pause: Duration, until event: String) {
    line.show("\(state.withLock { $0.text }): waiting \(pause.components.seconds) s until \(event)")
  }

  func clear() { line.clear() }
}
