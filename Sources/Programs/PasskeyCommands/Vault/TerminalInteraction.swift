// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnAuthenticator
package import WebAuthnTypes

/// Asks the user at the terminal, while standard input and output carry the device's messages.
package struct TerminalInteraction: UserInteraction {
  private let terminal: SharedTerminal
  private let ceremony: CeremonyDescription?
  private let cancellation = QuestionCancellation()

  // 30 s  [CTAP 2.3 §6.5.2.1: how long a device waits for its user]
  private static let timeLimit = Duration.seconds(30)

  /// Returns nil if there is no terminal.
  package init?(describing ceremony: CeremonyDescription) {
    guard let terminal = SharedTerminal() else { return nil }
    self.init(at: terminal, describing: ceremony)
  }

  /// Uses a terminal that several devices share. `ceremony` describes the current ceremony: its purpose, site and user.
  package init(at terminal: SharedTerminal, describing ceremony: CeremonyDescription? = nil) {
    self.terminal = terminal
    self.ceremony = ceremony
  }

  package func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    switch await answer(to: purpose) {
    case .yes: .confirmed
    case .no: .refused
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    }
  }

  package func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch await answer(to: purpose) {
    case .yes: .finger(0)
    case .no: .refused
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    }
  }

  private func answer(to purpose: InteractionPurpose) async -> Terminal.Answer {
    await terminal.confirm(purpose.question(ceremony), within: Self.timeLimit, until: cancellation)
  }

  package func cancel() async {
    cancellation.request()
  }
}

/// The page and the user of a ceremony.
package struct CeremonyDescription: Sendable {
  package let origin: WebOrigin
  /// The user's name; nil if not known.
  package let userName: String?
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
