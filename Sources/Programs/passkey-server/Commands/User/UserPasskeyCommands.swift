// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

// Commands that manage one account's sessions and passkeys.

/// `passkey-server user sign-out NAME`
enum UserSignOutCommand: Command {
  static let specification = CommandSpecification(
    name: "user sign-out", summary: "end every session of an account", arguments: "[OPTION…] NAME",
    discussion: [Console.noticeParagraph, ExitCode.paragraph], positionalCount: 1...1,
    options: Console.accountOptions, examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let count = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      return try await store.service.revokeAll(of: handle, by: .console, in: context)
    }
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("ended", .integer(count)) } }
    Diagnostics.server.note("\(count) \(count == 1 ? "session" : "sessions") ended")
  }
}

/// `passkey-server user passkeys NAME`
enum UserPasskeysCommand: Command {
  static let specification = CommandSpecification(
    name: "user passkeys", summary: "list the passkeys of an account", arguments: "[OPTION…] NAME",
    discussion: [ExitCode.paragraph], positionalCount: 1...1,
    options: Setting.accountOptions + [
      .jsonLines, .help,
    ],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let passkeys = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      return try await store.service.passkeys(of: handle, by: .console)
    }
    if arguments.asksForJSON {
      for passkey in passkeys { try write(passkey) }
    } else if passkeys.isEmpty {
      Diagnostics.server.note("the account has no passkeys")
    } else {
      let rows = [["name", "provider", "created", "last used", "state", "id"]] + passkeys.map(row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
  }

  private static func row(_ passkey: Passkey) -> [String] {
    [
      passkey.name.text, passkey.aaguid.providerName ?? "-", "\(passkey.created)",
      passkey.lastUsed.map { "\($0)" } ?? "-",
      passkey.isDisabled ? "disabled" : "active", "\(passkey.record.id)",
    ].map(\.escapedForTerminal)
  }

  private static func write(_ passkey: Passkey) throws(CommandFailure) {
    try Output.writeObject { (object) in
      object.write("id", .base64URL(passkey.record.id.bytes))
      object.write("name", .string(passkey.name.text))
      object.write("aaguid", .string("\(passkey.aaguid)"))
      object.write("provider", .text(passkey.aaguid.providerName))
      object.write("createdAt", .time(passkey.created))
      object.write("lastUsedAt", .time(passkey.lastUsed))
      object.write("disabled", .bool(passkey.isDisabled))
    }
  }
}

/// `passkey-server user remove-passkey NAME ID`
enum UserRemovePasskeyCommand: Command {
  private static let allowLast = Option("--allow-last", help: "delete the passkey even if it is the last one")

  static let specification = CommandSpecification(
    name: "user remove-passkey", summary: "delete a passkey of an account and end its sessions",
    arguments: "[OPTION…] NAME ID",
    discussion: [
      """
      Ends the sessions that the passkey opened. user passkeys prints the ids. The last usable passkey is kept unless \
      --allow-last is given: its owner then needs a recovery code.
      """,
      Console.noticeParagraph, ExitCode.paragraph,
    ],
    positionalCount: 2...2,
    options: Setting.accountOptions + [
      allowLast, .json, .help,
    ],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let text = arguments.positionals[1]
    guard let id = try? CredentialID(Base64URL.decode(text)) else {
      throw .usage(
        "invalid passkey id \(text.quotedForTerminal)", hint: "list the ids with passkey-server user passkeys NAME")
    }
    try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      try await store.service.delete(id, of: handle, allowingLast: arguments[allowLast], by: .console, in: context)
    }
    if arguments.asksForJSON {
      return try Output.writeObject { (object) in object.write("id", .base64URL(id.bytes)) }
    }
    Diagnostics.server.note("deleted the passkey")
  }
}
