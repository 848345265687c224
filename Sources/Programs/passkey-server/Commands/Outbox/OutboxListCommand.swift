// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

/// `passkey-server outbox list`
enum OutboxListCommand: Command {
  private static let after = Option<UInt64?>("--after", "NUMBER", help: "only notices after this number")
  private static let limit = Option<UInt64?>("--limit", "NUMBER", help: "print at most this many notices (100)")

  static let specification = CommandSpecification(
    name: "outbox list",
    summary: "list notices that wait for their delivery, and dead letters",
    arguments: "[OPTION…]",
    discussion: [
      """
      Lists notices in the order in which they were written. If notices are left, prints the option that continues. A \
      notice is claimed while a deliverer sends it, and queued while an earlier notice of its account waits.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + OutboxChoice.options + [after, limit, .jsonLines, .help],
    examples: [.init(command: "passkey-server outbox list --dead", meaning: "list what could not be delivered")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let selection = try OutboxChoice.selection(arguments)
    let after = Int64(clamping: arguments[Self.after] ?? 0)
    let limit = Int(clamping: arguments[Self.limit] ?? 100)
    let items = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      try await store.service.outboxItems(selection, after: after, limit: limit + (limit < .max ? 1 : 0))
    }
    let listed = items.prefix(limit)
    if arguments.asksForJSON {
      for item in listed { try Output.writeObject { (object) in item.write(to: &object, withData: false) } }
    } else if listed.isEmpty {
      Diagnostics.server.note("there are no such notices")
    } else {
      let heads = ["number", "id", "event", "destination", "state", "failures", "since", "reason"]
      let rows = [heads] + listed.map(row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
    if items.count > listed.count, let last = listed.last {
      Diagnostics.server.note("there are more: --after \(last.number)")
    }
  }

  private static func row(_ item: OutboxItem) -> [String] {
    [
      "\(item.number)", "\(item.notice.id)", item.notice.event.rawValue, item.destination.rawValue, item.state.rawValue,
      "\(item.failedAttempts)", item.notice.time.description, item.reason ?? "-",
    ].map(\.escapedForTerminal)
  }
}

extension OutboxItem {
  /// Writes the members of the item's JSON form.
  func write(to object: inout JSONObjectWriter, withData: Bool) {
    object.write("number", .integer(number))
    object.write("id", .string("\(notice.id)"))
    object.write("event", .string(notice.event.rawValue))
    object.write("account", .text(notice.account?.description))
    object.write("destination", .string(destination.rawValue))
    object.write("state", .string(state.rawValue))
    object.write("failures", .integer(failedAttempts))
    object.write("time", .time(notice.time))
    object.write("due", due.map { (due) in .time(due) } ?? .null)
    object.write("diedAt", died.map { (died) in .time(died) } ?? .null)
    object.write("reason", .text(reason))
    if withData, let data = try? JSON.parse(notice.data) { object.write("data", .value(data)) }
  }
}
