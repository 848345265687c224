// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemIO
internal import WebAuthnClient
internal import WireFormats

/// Asks the user to confirm an act and shows its details.
struct Confirmation {
  private let isGiven: Bool
  private let asJSON: Bool
  private let showsBody: Bool

  static let option = OptionSpecification(
    name: "--show-body", help: "show every byte of the body before the confirmation")

  init(_ arguments: ParsedArguments) {
    isGiven = arguments.has("--yes")
    asJSON = arguments.has("--json")
    showsBody = arguments.has(Self.option.name)
  }

  /// Shows the act and asks for confirmation, unless an option has given it. The act is confirmed exactly as shown.
  func ask(about act: Act, at server: LiveServer) throws(CommandFailure) {
    let summary = ActSummary(
      server: server.options.server.text, user: server.currentSession?.user, method: act.method, path: act.path,
      body: act.body, contentType: act.givenContentType, showsBody: showsBody)
    let lines = ["to be confirmed:"] + summary.lines
    let columns = TerminalWidth.columns(of: .standardError) ?? TerminalWidth.columns(of: .standardOutput)
    if isGiven {
      let isShown = FileDescriptor.standardError.isTerminal
      if !asJSON { Diagnostics.passkey.note(Self.text(lines, columns: isShown ? columns ?? 80 : nil)) }
      return
    }
    guard let terminal = Terminal() else {
      throw .refused(
        "cannot confirm \(act.method) \(act.path.escapedForTerminal): there is no terminal to ask at",
        hint: "use --yes to confirm")
    }
    terminal.write(Self.text(lines, columns: columns ?? 80) + "\n")
    let answer = terminal.ask("confirm it with a passkey? [y/N] ") ?? ""
    guard ["y", "yes"].contains(answer.lowercased()) else {
      throw .refused("nothing was confirmed", hint: "nothing was changed")
    }
  }

  private static func text(_ lines: [String], columns: Int?) -> String {
    let rows = columns.map { (columns) in lines.flatMap { FoldedLine($0, columns: columns).rows } } ?? lines
    return rows.joined(separator: "\n")
  }
}
