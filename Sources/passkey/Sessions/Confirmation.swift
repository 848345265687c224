// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// The question whether an act is meant, with what is known of it.
struct Confirmation {
  private let isGiven: Bool
  private let asJSON: Bool

  init(_ arguments: ParsedArguments) {
    isGiven = arguments.has("--yes")
    asJSON = arguments.has("--json")
  }

  /// Shows the act, and asks unless the command line has answered. What was shown is what is confirmed.
  func ask(about act: ActSummary) throws(CommandFailure) {
    let text = "to be confirmed:\n" + TextTable(rows: act.rows.map { ["  " + $0[0], $0[1]] }, width: nil).text
    if isGiven {
      if !asJSON { Diagnostics.passkey.note(text.dropLast().description) }
      return
    }
    guard let terminal = Terminal() else {
      throw .usage(
        "the server wants \(act.method.escapedForTerminal) \(act.path.escapedForTerminal) confirmed, and there is no terminal to ask at",
        hint: "--yes says that it is meant")
    }
    terminal.write(text)
    let answer = terminal.ask("confirm it with a passkey? [y/N] ") ?? ""
    guard ["y", "yes"].contains(answer.lowercased()) else {
      throw .refused("nothing was confirmed", hint: "nothing was changed")
    }
  }
}
