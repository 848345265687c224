// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem

/// `passkey browser approve`
enum BrowserApproveCommand: Command {
  static let specification = CommandSpecification(
    name: "browser approve",
    summary: "answer the questions of browsers at this terminal",
    arguments: "",
    discussion: [
      """
      Takes the questions of every browser whose host was installed with --approve terminal, and asks them here until \
      Ctrl-C. Each question names the page, the RP ID and the user. Enter alone refuses. While this command does not \
      run, the extension asks in its window.
      """,
      """
      Listens on the Unix socket passkey/approve in $XDG_RUNTIME_DIR, which only this user can access. Only one \
      terminal can approve at a time.
      """,
      """
      Exit codes: 1 the socket cannot be opened, or another terminal approves already, 2 invalid usage, 5 there is no \
      terminal to ask at, 130 ended with Ctrl-C.
      """,
    ],
    positionalCount: 0...0,
    options: [.help],
    examples: [.init(command: "passkey browser approve", meaning: "approve requests of browsers in this terminal")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let terminal = Terminal() else {
      throw .refused("there is no terminal to ask at", hint: "run passkey browser approve in a terminal")
    }
    // Before any other thread starts: every thread has to block these signals.
    let signals = StopSignals()
    let path = try ApprovalSocket.prepare()
    let listener = try mapError(QuestionListener(path: path), CommandFailure.init(browser:))
    defer { listener.withdraw() }
    signals.endProcess { listener.withdraw() }
    terminal.write("Waiting for the questions of browsers. Ctrl-C ends.\n")
    while true {
      let asked = try mapError(listener.next(), CommandFailure.init(browser:))
      asked.answer(try TerminalQuestion(asked, at: terminal).ask())
    }
  }
}
