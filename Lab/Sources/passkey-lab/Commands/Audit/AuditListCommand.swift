// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem

/// `passkey audit list`
enum AuditListCommand: Command {
  private static let markdown = Option("--markdown", help: "print a page with the reasons and advice of each check")
  private static let advisories = Option(
    "--advisories", help: "print a page with published advisories and the checks that find them")
  private static let standards = Option(
    "--standards", help: "print a page with requirements of standards and the checks that judge them")

  static let specification = CommandSpecification(
    name: "audit list",
    summary: "list the checks of an audit",
    arguments: "[OPTION…]",
    discussion: ["Exit codes: 0 done, 1 the output cannot be written, 2 invalid usage."],
    positionalCount: 0...0,
    options: [AuditArguments.group, markdown, advisories, standards, .json, .help],
    examples: [
      .init(command: "passkey audit list --group session", meaning: "list the checks of sessions"),
      .init(command: "passkey audit list --advisories", meaning: "list the published advisories that an audit finds"),
    ])

  struct Options: CommandArguments {
    fileprivate let groups: Set<CheckGroup>
    fileprivate let format: Format

    fileprivate enum Format { case text, markdown, advisories, standards, json }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      groups = Set(arguments[AuditArguments.group])
      let asked: [(String, Bool, Format)] = [
        ("--group", !groups.isEmpty, .text), (markdown.name, arguments[markdown], .markdown),
        (advisories.name, arguments[advisories], .advisories), (standards.name, arguments[standards], .standards),
        ("--json", arguments.asksForJSON, .json),
      ].filter(\.1)
      let pages = asked.filter { $0.2 != .text }
      let isWhole = pages.contains { $0.2 == .advisories || $0.2 == .standards }
      let clashing = isWhole ? asked : pages
      if clashing.count > 1 {
        throw .usage("\(clashing[0].0) and \(clashing[1].0) cannot be combined", hint: "omit one of them")
      }
      format = pages.first?.2 ?? .text
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let checks = Check.all.filter { options.groups.isEmpty || options.groups.contains($0.group) }
    let catalog = CheckCatalog(checks)
    switch options.format {
    case .text:
      try Output.write(TextTable(rows: catalog.rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    case .markdown: try Output.write(catalog.markdown)
    case .advisories: try Output.write(AdvisoryCatalog.markdown)
    case .standards: try Output.write(RequirementCatalog.markdown)
    case .json: try Output.write(catalog.json + [UInt8(ascii: "\n")])
    }
  }
}
