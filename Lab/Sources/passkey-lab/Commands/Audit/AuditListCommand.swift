// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem

/// `passkey audit list`
enum AuditListCommand: Command {
  private static let markdown = Option("--markdown", help: "print a page with the reasons and advice of each check")

  static let specification = CommandSpecification(
    name: "audit list",
    summary: "list the checks of an audit",
    arguments: "[OPTION…]",
    discussion: ["Exit codes: 0 done, 1 the output cannot be written, 2 invalid usage."],
    positionalCount: 0...0,
    options: [AuditArguments.group, markdown, .json, .help],
    examples: [.init(command: "passkey audit list --group session", meaning: "list the checks of sessions")])

  struct Options: CommandArguments {
    fileprivate let groups: Set<CheckGroup>
    fileprivate let format: Format

    fileprivate enum Format { case text, markdown, json }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      groups = Set(arguments[AuditArguments.group])
      switch (arguments[markdown], arguments.asksForJSON) {
      case (true, true): throw .usage("--markdown and --json cannot be combined", hint: "omit one of them")
      case (true, false): format = .markdown
      case (false, let asJSON): format = asJSON ? .json : .text
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let checks = Check.all.filter { options.groups.isEmpty || options.groups.contains($0.group) }
    let catalog = CheckCatalog(checks)
    switch options.format {
    case .text:
      try Output.write(TextTable(rows: catalog.rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    case .markdown: try Output.write(catalog.markdown)
    case .json: try Output.write(catalog.json + [UInt8(ascii: "\n")])
    }
  }
}
