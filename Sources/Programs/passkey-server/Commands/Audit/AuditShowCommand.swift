// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

/// `passkey-server audit show`
enum AuditShowCommand: Command {
  private static let account = Option("--account", "NAME", help: "only records about this account")
  private static let after = Option<UInt64?>("--after", "NUMBER", help: "only records after this one")
  private static let limit = Option<UInt64?>("--limit", "NUMBER", help: "print at most this many records (100)")
  private static let last = Option<UInt64?>("--last", "NUMBER", help: "only this many of the newest records")

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
    options: Setting.storeOptions + [account, after, limit, last, .jsonLines, .help],
    examples: [
      .init(command: "passkey-server audit show --account ada@raxx.app", meaning: "show what Ada did"),
      .init(command: "passkey-server audit show --last 20", meaning: "show the latest records"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try arguments[account].map { (text) throws(CommandFailure) in try Console.name(text, arguments) }
    let part = try part(arguments)
    let (entries, rest) = try Console.open(arguments, for: .reading(withSecret: false)) {
      (store) async throws(CommandFailure) in
      var account: UserHandle?
      if let name {
        account = try await mapError(async: await store.service.account(name, by: .console).handle, CommandFailure.init)
      }
      return try await AuditReading(store: store, account: account).read(part)
    }
    if arguments.asksForJSON {
      for entry in entries { try Output.write(AuditJSON.line(entry)) }
    } else {
      let rows = [AuditLine.heads] + entries.map(AuditLine.row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
    if rest > 0, let last = entries.last {
      Diagnostics.server.note("\(rest) more: --after \(last.record.sequence)")
    }
  }

  private static func part(_ arguments: ParsedArguments) throws(CommandFailure) -> AuditReading.Part {
    let after = Int64(clamping: arguments[Self.after] ?? 0)
    guard let last = arguments[Self.last] else {
      return .first(Int(clamping: arguments[limit] ?? 100), after: after)
    }
    guard !arguments.has(limit) else {
      throw .usage("--last and --limit cannot be combined", hint: "omit one of the two")
    }
    return .last(Int(clamping: last), after: after)
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
