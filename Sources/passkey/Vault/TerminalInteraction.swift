// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnAuthenticator
internal import WireFormats

/// Asks the user at the terminal, while standard input and output carry the device's messages.
struct TerminalInteraction: UserInteraction {
  private let terminal: SharedTerminal
  private let cancellation = Cancellation()

  /// Returns nil if there is no terminal.
  init?() {
    guard let terminal = SharedTerminal() else { return nil }
    self.init(at: terminal)
  }

  /// Uses a terminal that several devices share.
  init(at terminal: SharedTerminal) {
    self.terminal = terminal
  }

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    await terminal.ask(purpose.question, until: cancellation)
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch await terminal.ask("user verification: " + purpose.question, until: cancellation) {
    case .confirmed: .finger(0)
    case .refused: .refused
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    }
  }

  func cancel() async {
    cancellation.request()
  }
}

extension InteractionPurpose {
  /// The question, including the relying party and the user if known.
  fileprivate var question: String {
    let place = relyingPartyID.map { " for \($0.escapedForTerminal)" } ?? ""
    let person = userName.map { " as \($0.escapedForTerminal)" } ?? ""
    let act =
      switch act {
      case .register: "create a passkey"
      case .signIn: "sign in"
      case .selectDevice: "use this device"
      case .reset: "delete every passkey of this device"
      case .enrollFinger: "enrol a finger"
      case .excludedCredential: "reveal that it already has a passkey"
      case .configure: "change the device's settings"
      }
    return "\(act)\(place)\(person)? [y/N] "
  }
}

/// A request to cancel the device's question.
private final class Cancellation: Sendable {
  private let isRequested = Locked(false)

  func request() {
    isRequested.withLock { (isRequested) in isRequested = true }
  }

  /// Resets a request from an earlier question.
  func clear() {
    isRequested.withLock { (isRequested) in isRequested = false }
  }

  var isCancelled: Bool { isRequested.withLock { (isRequested) in isRequested } }
}

/// The shared terminal. It asks one question at a time; other questions wait.
final class SharedTerminal: Sendable {
  private let terminal: Locked<Terminal>
  private let isAsking = Locked(false)

  // 30 s  [CTAP 2.3 §6.5.2.1: how long a device waits for its user]
  private static let timeLimit = Duration.seconds(30)
  private static let step = Duration.milliseconds(100)

  /// Returns nil if there is no terminal.
  init?() {
    guard let terminal = Terminal() else { return nil }
    self.terminal = Locked(terminal)
  }

  /// Asks one question. The time limit includes the wait for earlier questions.
  fileprivate func ask(_ question: String, until cancellation: Cancellation) async -> PresenceAnswer {
    cancellation.clear()
    var left = Self.timeLimit
    while !claim() {
      if let answer = await pause(&left, cancellation) { return answer }
    }
    defer { isAsking.withLock { (isAsking) in isAsking = false } }
    terminal.withLock { (terminal) in terminal.write("passkey: " + question) }
    while true {
      let answer = terminal.withLock { (terminal) in terminal.isReady(within: 0) ? terminal.ask("") ?? "" : nil }
      if let answer { return ["y", "yes"].contains(answer.lowercased()) ? .confirmed : .refused }
      guard let answer = await pause(&left, cancellation) else { continue }
      terminal.withLock { (terminal) in terminal.write(answer == .timedOut ? "no answer in time\n" : "cancelled\n") }
      return answer
    }
  }

  private func claim() -> Bool {
    isAsking.withLock { (isAsking) in
      defer { isAsking = true }
      return !isAsking
    }
  }

  /// Sleeps for one step. Returns an answer if the question was cancelled or timed out.
  private func pause(_ left: inout Duration, _ cancellation: Cancellation) async -> PresenceAnswer? {
    guard !cancellation.isCancelled, (try? await Task.sleep(for: Self.step)) != nil else { return .cancelled }
    left -= Self.step
    return left > .zero ? nil : .timedOut
  }
}
