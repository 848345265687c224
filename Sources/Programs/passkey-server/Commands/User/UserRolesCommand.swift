// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user roles NAME [ROLE…]`
enum UserRolesCommand: Command {
  static let specification = CommandSpecification(
    name: "user roles",
    summary: "show or set the roles of an account",
    arguments: "[OPTION…] NAME [ROLE…]",
    discussion: [
      "The given roles replace all roles of the account. Without a role, prints the current ones, one a line.",
      Console.noticeParagraph, ExitCode.paragraph,
    ],
    positionalCount: 1...17,
    options: Setting.accountOptions + [
      OptionSpecification(name: none, help: "remove every role"), .json, .help,
    ],
    examples: [
      .init(command: "passkey-server user roles ada@raxx.app", meaning: "show Ada's roles"),
      .init(command: "passkey-server user roles ada@raxx.app admin trader", meaning: "replace Ada's roles"),
    ])

  private static let none = "--none"

  struct Options: CommandArguments {
    fileprivate let account: AccountOptions
    /// The new roles; `nil` to show the present ones.
    fileprivate let roles: Set<Role>?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      account = try AccountOptions(arguments)
      let names = arguments.positionals.dropFirst()
      switch (arguments.has(none), names.isEmpty) {
      case (true, false):
        throw .usage("\(none) cannot be combined with a role", hint: "omit one of the two")
      case (false, true): roles = nil
      default: roles = Console.roles(names)
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    guard let roles = options.roles else { return try show(options.account) }
    try UserChange.apply(.setRoles(roles), options.account)
  }

  private static func show(_ options: AccountOptions) throws(CommandFailure) {
    let name = options.name
    let account = try Console.use(options.settings) { (store, _) async throws(ServiceError) in
      try await store.service.account(name, by: .console)
    }
    if options.asJSON { return try Console.write(account) }
    guard !account.roles.isEmpty else { return Diagnostics.server.note("\(account.name) has no roles") }
    for role in account.roles.map(\.rawValue).sorted() { try Output.write(role.escapedForTerminal + "\n") }
  }
}
