// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// Asks the user at the terminal, while standard input and output carry the device's messages.
struct TerminalInteraction: UserInteraction {
  private let terminal: SharedTerminal
  private let ceremony: CeremonyDescription?
  private let cancellation = Cancellation()

  /// Returns nil if there is no terminal.
  init?(describing ceremony: CeremonyDescription) {
    guard let terminal = SharedTerminal() else { return nil }
    self.init(at: terminal, describing: ceremony)
  }

  /// Uses a terminal that several devices share. `ceremony` is what this program, rather than the device, knows of it.
  init(at terminal: SharedTerminal, describing ceremony: CeremonyDescription? = nil) {
    self.terminal = terminal
    self.ceremony = ceremony
  }

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    await terminal.ask(purpose.question(ceremony), until: cancellation)
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch await terminal.ask(purpose.question(ceremony), until: cancellation) {
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

/// The page and the user of a ceremony.
struct CeremonyDescription: Sendable {
  let origin: Origin
  /// The user's name; nil if not known.
  let userName: String?
}

extension InteractionPurpose {
  /// The question, such as "Sign in to raxx.app as ada@raxx.app?". Names the page's origin unless it is the relying
  /// party's own.
  fileprivate func question(_ ceremony: CeremonyDescription?) -> String {
    let site = relyingPartyID?.escapedForTerminal ?? "a site that uses U2F"
    let user = (userName ?? ceremony?.userName).map { " as \($0.escapedForTerminal)" } ?? ""
    let page = ceremony.flatMap { $0.origin.text == "https://\(site)" ? nil : ", asked by \($0.origin.text)" } ?? ""
    let act =
      switch act {
      case .register: "Create a passkey for \(site)\(user)\(page)"
      case .signIn: "Sign in to \(site)\(user)\(page)"
      case .selectDevice: "Use this device"
      case .reset: "Delete every passkey of this device"
      case .enrollFinger: "Enroll a finger"
      case .excludedCredential: "Reveal to \(site) that this device has a passkey already"
      case .configure: "Change the settings of this device"
      }
    return "\(act)? [y/N] "
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
    terminal.withLock { (terminal) in terminal.write(question) }
    while true {
      if let answer = answer(to: question) { return answer }
      guard let answer = await pause(&left, cancellation) else { continue }
      terminal.withLock { (terminal) in terminal.write(answer == .timedOut ? "no answer in time\n" : "cancelled\n") }
      return answer
    }
  }

  /// Returns the typed answer, or nil without an answer yet. Repeats the question after an unclear answer.
  private func answer(to question: String) -> PresenceAnswer? {
    terminal.withLock { (terminal) in
      guard terminal.isReady(within: 0) else { return nil }
      do throws(CommandFailure) {
        if let isYes = Terminal.isYes(try terminal.ask("") ?? "") { return isYes ? .confirmed : .refused }
        terminal.write(Terminal.unclearAnswer + question)
        return nil
      } catch {
        return .cancelled
      }
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
