// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// `passkey-server audit show`
enum AuditShowCommand: Command {
  static let specification = CommandSpecification(
    name: "audit show",
    summary: "print records of the audit trail",
    arguments: "[OPTION…]",
    discussion: [
      "The oldest come first. What is known of where a request came from stands last, until the account is erased."
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--account", value: .init(name: "EMAIL"), help: "only what this account did or had done to it"),
      OptionSpecification(name: "--after", value: .init(name: "NUMBER"), help: "only records behind this one"),
      OptionSpecification(name: "--limit", value: .init(name: "NUMBER"), help: "so many at the most (100)"),
      OptionSpecification(name: "--json", help: "print a line of JSON for each"), .help,
    ],
    examples: [.init(command: "passkey-server audit show --account ada@raxx.app", meaning: "what Ada did")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email: EmailAddress? = if let text = arguments["--account"] { try Console.email(text) } else { nil }
    let after = Int64(clamping: try arguments.number("--after") ?? 0)
    let limit = Int(clamping: try arguments.number("--limit") ?? 100)
    let entries = try Console.use(arguments, for: .reading) { (store, _) async throws(ServiceError) in
      var handle: UserHandle?
      if let email { handle = try await store.service.account(email, by: .console).handle }
      return try await store.service.auditEntries(after: after, of: handle, limit: limit)
    }
    if arguments.has("--json") {
      for entry in entries { try Output.write(AuditLine.json(entry)) }
    } else {
      let rows = [AuditLine.heads] + entries.map(AuditLine.row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
  }
}

/// A record as a line.
private enum AuditLine {
  static let heads = ["number", "time", "event", "outcome", "account", "subject", "details"]

  static func row(_ entry: AuditEntry) -> [String] {
    let record = entry.record
    return [
      "\(record.sequence)", record.time.description, record.event.rawValue, record.outcome, short(record.account),
      short(record.subject), details(entry).map { "\($0.key)=\($0.value)" }.joined(separator: " "),
    ].map(\.escapedForTerminal)
  }

  static func json(_ entry: AuditEntry) -> [UInt8] {
    let record = entry.record
    var line = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("number", .integer(record.sequence))
      object.write("time", .string(record.time.description))
      object.write("event", .string(record.event.rawValue))
      object.write("outcome", .string(record.outcome))
      if let actor = record.actor { object.write("actor", .string("\(actor)")) }
      if let account = record.account { object.write("account", .string("\(account)")) }
      if let subject = record.subject { object.write("subject", .string(subject)) }
      object.write("requestId", .string(record.requestID))
      object.writeObject("details") { (inside) in
        for (name, value) in details(entry) { inside.write(name, .string(value)) }
      }
      object.write("hash", .string(Hex.encode(record.hash)))
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func details(_ entry: AuditEntry) -> [(key: String, value: String)] {
    entry.record.details.sorted { $0.key < $1.key }
      + entry.personalDetails.map { (key: $0.name.rawValue, value: $0.value) }.sorted { $0.key < $1.key }
  }

  /// Enough of a name to tell it from others on the same screen.
  private static func short(_ name: (some CustomStringConvertible)?) -> String {
    guard let name else { return "-" }
    let text = name.description
    return text.count > 20 ? text.prefix(19) + "…" : text
  }
}
