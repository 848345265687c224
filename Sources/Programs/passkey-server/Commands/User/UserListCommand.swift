// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

/// `passkey-server user list`
enum UserListCommand: Command {
  private static let state = Option(
    "--state", "STATE", choices: ["pending", "active", "disabled", "rejected"],
    help: "only accounts in this state")
  private static let withRole = Option("--with-role", "ROLE", help: "only accounts with this role, such as admin")

  static let specification = CommandSpecification(
    name: "user list",
    summary: "list accounts",
    arguments: "[OPTION…]",
    discussion: [
      "Lists accounts by id. Ids are shortened as in audit show; --json prints them in full.",
      """
      If the server recovers accounts by mail, the column recovery shows whose owners need an administrator, because their \
      address is not verified. They can verify it in a session.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.accountOptions + Setting.contactSettings.map(\.specification)
      + [state, withRole, .jsonLines, .help],
    examples: [
      .init(command: "passkey-server user list --state pending", meaning: "list accounts that wait for approval")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let filter = Account.Filter(
      state: arguments[state].flatMap(Account.State.init),
      role: arguments[withRole].map { Role(rawValue: $0) })
    let (accounts, stuck) = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      let accounts = try await all(store.service, filter)
      return (accounts, Set(accounts.filter(store.service.lacksRecovery).map(\.handle)))
    }
    if arguments.asksForJSON {
      for account in accounts { try Console.write(account, lacksRecovery: stuck.contains(account.handle)) }
    } else if accounts.isEmpty {
      Diagnostics.server.note("there are no accounts")
    } else {
      let recovers = try ServerConfiguration(arguments).policy.contact.recovery != .administrator
      var rows = [["name", "state", "roles", "since", "id"]] + accounts.map(row)
      if recovers {
        let recovery = accounts.map { (account) in
          account.state != .active ? "-" : stuck.contains(account.handle) ? "administrator" : "by mail"
        }
        for (index, text) in (["recovery"] + recovery).enumerated() { rows[index].insert(text, at: 3) }
      }
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
    }
  }

  private static func all(
    _ service: AuthService, _ filter: Account.Filter
  ) async throws(ServiceError) -> [Account] {
    var accounts: [Account] = []
    while true {
      let page = try await service.accounts(
        after: accounts.last?.handle, matching: filter, limit: pageLength, by: .console)
      accounts += page
      if page.count < pageLength { return accounts }
    }
  }

  private static func row(_ account: Account) -> [String] {
    let roles = account.roles.map(\.rawValue).sorted().joined(separator: " ")
    return [
      account.names.all.map(\.text).joined(separator: " "), account.state.rawValue, roles.isEmpty ? "-" : roles,
      "\(account.created)",
      Console.short(account.handle),
    ].map(\.escapedForTerminal)
  }

  private static let pageLength = 500
}
