// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

/// `passkey-server user list`
enum UserListCommand: Command {
  static let specification = CommandSpecification(
    name: "user list",
    summary: "list accounts",
    arguments: "[OPTION…]",
    discussion: [
      "Lists accounts by id. Ids are shortened as in audit show; --json prints them in full.",
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--state", value: .init(name: "STATE", choices: ["pending", "active", "disabled"]),
        help: "only accounts in this state"),
      OptionSpecification(name: "--json", help: "print one line of JSON for each account"), .help,
    ],
    examples: [
      .init(command: "passkey-server user list --state pending", meaning: "list accounts that wait for approval")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let state = arguments["--state"].flatMap(Account.State.init)
    let accounts = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      try await all(store.service, state)
    }
    if arguments.has("--json") {
      for account in accounts { try Output.write(json(account)) }
    } else if accounts.isEmpty {
      Diagnostics.server.note("there are no accounts")
    } else {
      let rows = [["e-mail", "state", "roles", "since", "id"]] + accounts.map(row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
  }

  private static func all(
    _ service: AuthService, _ state: Account.State?
  ) async throws(ServiceError) -> [Account] {
    var accounts: [Account] = []
    while true {
      let page = try await service.accounts(
        after: accounts.last?.handle, state: state, limit: pageLength, by: .console)
      accounts += page
      if page.count < pageLength { return accounts }
    }
  }

  private static func row(_ account: Account) -> [String] {
    let roles = account.roles.map(\.rawValue).sorted().joined(separator: " ")
    return [
      account.email.text, account.state.rawValue, roles.isEmpty ? "-" : roles, "\(account.created)",
      Console.short(account.handle),
    ].map(\.escapedForTerminal)
  }

  private static func json(_ account: Account) -> [UInt8] {
    var line = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("id", .string("\(account.handle)"))
      object.write("email", .string(account.email.text))
      object.write("state", .string(account.state.rawValue))
      object.writeArray("roles") { (roles) in
        for role in account.roles.map(\.rawValue).sorted() { roles.write(.string(role)) }
      }
      object.write("created", .string("\(account.created)"))
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static let pageLength = 500
}
