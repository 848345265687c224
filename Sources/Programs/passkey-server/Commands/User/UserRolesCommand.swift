// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user roles NAME [ROLE…]`
enum UserRolesCommand: Command {
  private static let none = Option("--none", help: "remove every role")

  static let specification = CommandSpecification(
    name: "user roles",
    summary: "show or set the roles of an account",
    arguments: "[OPTION…] NAME [ROLE…]",
    discussion: [
      "The given roles replace all roles of the account. Without a role, prints the current ones, one a line.",
      Console.noticeParagraph, ExitCode.paragraph,
    ],
    positionalCount: 1...17,
    options: Setting.accountOptions + [none, .json, .help],
    examples: [
      .init(command: "passkey-server user roles ada@raxx.app", meaning: "show Ada's roles"),
      .init(command: "passkey-server user roles ada@raxx.app admin trader", meaning: "replace Ada's roles"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let names = arguments.positionals.dropFirst()
    guard !arguments[none] || names.isEmpty else {
      throw .usage("\(none.name) cannot be combined with a role", hint: "omit one of the two")
    }
    guard arguments[none] || !names.isEmpty else { return try show(arguments) }
    try UserChange.apply(.setRoles(Console.roles(names)), arguments)
  }

  private static func show(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let account = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      try await store.service.account(name, by: .console)
    }
    if arguments.asksForJSON { return try Console.write(account) }
    guard !account.roles.isEmpty else { return Diagnostics.server.note("\(account.name) has no roles") }
    for role in account.roles.map(\.rawValue).sorted() { try Output.write(role.escapedForTerminal + "\n") }
  }
}
