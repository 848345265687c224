// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAuthenticator

/// A user who is asked at the terminal, while standard input and output carry the device's messages.
struct TerminalInteraction: UserInteraction {
  private let terminal: SharedTerminal

  /// Nil where there is no terminal.
  init?() {
    guard let terminal = Terminal() else { return nil }
    self.terminal = SharedTerminal(terminal)
  }

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    await terminal.ask(purpose.question)
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch await terminal.ask("user verification: " + purpose.question) {
    case .confirmed: .finger(0)
    case .refused: .refused
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    }
  }

  func cancel() async {
    terminal.cancel()
  }
}

extension InteractionPurpose {
  /// The question, with what is known of what is about to happen.
  fileprivate var question: String {
    let place = relyingPartyID.map { " for \($0.escapedForTerminal)" } ?? ""
    let person = userName.map { " as \($0.escapedForTerminal)" } ?? ""
    let act =
      switch act {
      case .register: "make a passkey"
      case .signIn: "sign in"
      case .selectDevice: "use this device"
      case .reset: "delete every passkey of this device"
      case .enrollFinger: "enrol a finger"
      case .excludedCredential: "tell that there is a passkey already"
      case .configure: "change the device's settings"
      }
    return "\(act)\(place)\(person)? [y/N] "
  }
}

/// The one terminal, at which one question is asked at a time.
private final class SharedTerminal: Sendable {
  private let terminal: Locked<Terminal>
  private let isCancelled = Locked(false)

  // 30 s  [CTAP 2.3 §6.5.2.1: how long a device waits for its user]
  private static let timeLimit = Duration.seconds(30)
  private static let step = Duration.milliseconds(100)

  init(_ terminal: sending Terminal) {
    self.terminal = Locked(terminal)
  }

  func ask(_ question: String) async -> PresenceAnswer {
    isCancelled.withLock { (isCancelled) in isCancelled = false }
    terminal.withLock { (terminal) in terminal.write("passkey: " + question) }
    var left = Self.timeLimit
    while left > .zero {
      if isCancelled.withLock({ (isCancelled) in isCancelled }) { return end(.cancelled, "cancelled") }
      let answer = terminal.withLock { (terminal) in terminal.isReady(within: 0) ? terminal.ask("") ?? "" : nil }
      if let answer { return ["y", "yes"].contains(answer.lowercased()) ? .confirmed : .refused }
      guard (try? await Task.sleep(for: Self.step)) != nil else { return end(.cancelled, "cancelled") }
      left -= Self.step
    }
    return end(.timedOut, "nobody answered")
  }

  func cancel() {
    isCancelled.withLock { (isCancelled) in isCancelled = true }
  }

  private func end(_ answer: PresenceAnswer, _ words: String) -> PresenceAnswer {
    terminal.withLock { (terminal) in terminal.write(words + "\n") }
    return answer
  }
}
