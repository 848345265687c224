// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnTypes

/// A question of a browser, shown at the terminal.
struct TerminalQuestion {
  private let question: Question
  private let terminal: Terminal
  /// Is ready for reading once no answer is expected.
  private let end: FileDescriptor

  init(_ asked: AskedQuestion, at terminal: Terminal) {
    question = asked.question
    end = asked.end
    self.terminal = terminal
  }

  /// Shows the question and returns the user's answer. A question that the browser ends is `cancelled`.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C.
  func ask() throws(CommandFailure) -> QuestionAnswer {
    // Input from before the question must not answer it.
    terminal.discardInput()
    terminal.write(TextTable(rows: rows, width: nil).text)
    let answer = try reply()
    guard !end.wait(for: .reading, until: .now) else {
      terminal.write("The page no longer asks.\n")
      return .cancelled
    }
    if case .refused = answer { terminal.write("Refused.\n") }
    return answer
  }

  private func reply() throws(CommandFailure) -> QuestionAnswer {
    switch question.kind {
    case .create: return try confirm("Create a passkey?")
    case .signIn: return try confirm("Sign in?")
    case .revealExisting: return try confirm("Tell the site that a passkey exists already?")
    case .choose(let users):
      let number = try TerminalClientInteraction.number(upTo: users.count, from: terminal, cancelledBy: end)
      return number.map { (index) in .chosen(index) } ?? .refused
    case .pin(let attemptsLeft):
      let left = attemptsLeft.map { (count) in " (\(count) attempt\(count == 1 ? "" : "s") left)" } ?? ""
      let pin = try terminal.askSecretly("PIN of the device\(left): ", cancelledBy: end)
      return pin.map { (pin) in pin.count == 0 ? .refused : .pin(pin) } ?? .refused
    }
  }

  private func confirm(_ text: String) throws(CommandFailure) -> QuestionAnswer {
    try terminal.confirm(text, until: nil, cancelledBy: end) == .yes ? .approved : .refused
  }

  private var rows: [[String]] {
    var rows = [
      ["page", question.origin.text.escapedForTerminal + (question.isCrossOrigin ? ", embedded by another site" : "")],
      ["RP ID", question.relyingPartyID?.escapedForTerminal ?? "a site that uses U2F"],
    ]
    switch question.kind {
    case .create(let user), .signIn(let user):
      if let user { rows.append(["user", user.escapedForTerminal]) }
    case .choose(let users):
      for (index, user) in users.enumerated() { rows.append(["passkey \(index + 1)", user.label]) }
    case .revealExisting, .pin: break
    }
    return rows
  }
}
