// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

/// `passkey-server audit show`
enum AuditShowCommand: Command {
  static let specification = CommandSpecification(
    name: "audit show",
    summary: "print records of the audit trail",
    arguments: "[OPTION…]",
    discussion: [
      """
      Prints the oldest records first. The last column shows the client address, until the account is erased. If \
      records are left, prints their number and the option that continues.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--account", value: .init(name: "NAME"), help: "only records about this account"),
      OptionSpecification(name: "--after", value: .init(name: "NUMBER"), help: "only records after this one"),
      OptionSpecification(name: "--limit", value: .init(name: "NUMBER"), help: "print at most this many records (100)"),
      OptionSpecification(name: "--last", value: .init(name: "NUMBER"), help: "only this many of the newest records"),
      .jsonLines, .help,
    ],
    examples: [
      .init(command: "passkey-server audit show --account ada@raxx.app", meaning: "show what Ada did"),
      .init(command: "passkey-server audit show --last 20", meaning: "show the latest records"),
    ])

  struct Options: CommandArguments {
    fileprivate let settings: SettingOptions
    /// The account whose records are printed; `nil` for all.
    fileprivate let name: AccountName?
    fileprivate let part: AuditReading.Part
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      settings = SettingOptions(arguments)
      name = if let text = arguments["--account"] { try Console.name(text, settings) } else { nil }
      part = try Self.part(arguments)
      asJSON = arguments.asksForJSON
    }

    private static func part(_ arguments: ParsedArguments) throws(CommandFailure) -> AuditReading.Part {
      let after = Int64(clamping: try arguments.number("--after") ?? 0)
      guard let last = try arguments.number("--last") else {
        return .first(Int(clamping: try arguments.number("--limit") ?? 100), after: after)
      }
      guard !arguments.has("--limit") else {
        throw .usage("--last and --limit cannot be combined", hint: "omit one of the two")
      }
      return .last(Int(clamping: last), after: after)
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (name, part) = (options.name, options.part)
    let (entries, rest) = try Console.open(options.settings, for: .reading) { (store) async throws(CommandFailure) in
      var account: UserHandle?
      if let name {
        account = try await mapError(async: await store.service.account(name, by: .console).handle, CommandFailure.init)
      }
      return try await AuditReading(store: store, account: account).read(part)
    }
    if options.asJSON {
      for entry in entries { try Output.write(AuditJSON.line(entry)) }
    } else {
      let rows = [AuditLine.heads] + entries.map(AuditLine.row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
    if rest > 0, let last = entries.last {
      Diagnostics.server.note("\(rest) more: --after \(last.record.sequence)")
    }
  }
}

/// The table row of an audit record.
private enum AuditLine {
  static let heads = ["number", "time", "event", "outcome", "account", "subject", "details"]

  static func row(_ entry: AuditEntry) -> [String] {
    let record = entry.record
    return [
      "\(record.sequence)", record.time.description, record.event.rawValue, record.outcome,
      Console.short(record.account), Console.short(record.subject),
      details(entry).map { "\($0.key)=\($0.value)" }.joined(separator: " "),
    ].map(\.escapedForTerminal)
  }

  private static func details(_ entry: AuditEntry) -> [(key: String, value: String)] {
    entry.record.details.sorted { $0.key < $1.key }
      + entry.personalDetails.map { (key: $0.name.rawValue, value: $0.value) }.sorted { $0.key < $1.key }
  }
}
