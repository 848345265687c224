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
    return "\(act)?"
  }
}

/// A request to cancel the device's question. While there is one, ``descriptor`` is ready for reading.
private struct Cancellation: Sendable {
  private let wakeUp = try? WakeUp()

  /// Is never ready if the system has no descriptor left; the question then waits for an answer or its time limit.
  var descriptor: FileDescriptor { wakeUp?.descriptor ?? FileDescriptor(number: -1) }

  func request() {
    wakeUp?.ring()
  }

  /// Resets a request from an earlier question.
  func clear() {
    wakeUp?.clear()
  }
}

/// The shared terminal. It asks one question at a time; other questions wait.
final class SharedTerminal: Sendable {
  private let terminal: Terminal
  /// Is ready for reading while no question is asked; the next one takes its only byte.
  private let turn: WakeUp

  // 30 s  [CTAP 2.3 §6.5.2.1: how long a device waits for its user]
  private static let timeLimit = Duration.seconds(30)

  /// Returns nil if there is no terminal.
  init?() {
    guard let terminal = Terminal(), let turn = try? WakeUp() else { return nil }
    self.terminal = terminal
    self.turn = turn
    turn.ring()
  }

  /// Asks one question, on a thread of its own. The time limit includes the wait for earlier questions.
  fileprivate func ask(_ question: String, until cancellation: Cancellation) async -> PresenceAnswer {
    cancellation.clear()
    let deadline = ContinuousClock.now + Self.timeLimit
    return await withTaskCancellationHandler {
      await SystemThread.run { [self] in answer(to: question, until: deadline, cancellation) } ?? .cancelled
    } onCancel: {
      cancellation.request()
    }
  }

  private func answer(
    to question: String, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) -> PresenceAnswer {
    while !turn.take() {
      let waited = [turn.descriptor, cancellation.descriptor, Interruption.descriptor].map { (descriptor) in
        (descriptor, FileDescriptor.Readiness.reading)
      }
      let ready = FileDescriptor.wait(for: waited, until: deadline)
      if ready[1] || ready[2] { return .cancelled }
      if !ready[0] { return .timedOut }
    }
    defer { turn.ring() }
    do throws(CommandFailure) {
      switch try terminal.confirm(question, until: deadline, cancelledBy: cancellation.descriptor) {
      case .yes: return .confirmed
      case .no: return .refused
      case .timedOut:
        terminal.write("no answer in time\n")
        return .timedOut
      case .cancelled:
        // After Ctrl-C, the command reports it.
        if Interruption.count == 0 { terminal.write("cancelled\n") }
        return .cancelled
      }
    } catch {
      return .cancelled
    }
  }
}
