// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// `passkey-server user roles EMAIL [ROLE…]`
enum UserRolesCommand: Command {
  static let specification = CommandSpecification(
    name: "user roles",
    summary: "show or set the roles of an account",
    arguments: "[OPTION…] EMAIL [ROLE…]",
    discussion: [
      "The given roles replace all roles of the account. Without a role, prints the current ones, one a line.",
      ExitCode.paragraph,
    ],
    positionalCount: 1...17,
    options: Setting.storeOptions + [
      OptionSpecification(name: none, help: "remove every role"), .help,
    ],
    examples: [
      .init(command: "passkey-server user roles ada@raxx.app", meaning: "show Ada's roles"),
      .init(command: "passkey-server user roles ada@raxx.app admin trader", meaning: "replace Ada's roles"),
    ])

  private static let none = "--none"

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let names = arguments.positionals.dropFirst()
    switch (arguments.has(none), names.isEmpty) {
    case (true, false):
      throw .usage("\(none) cannot be combined with a role", hint: "omit one of the two")
    case (false, true): try show(arguments)
    default: try UserChange.apply(.setRoles(Console.roles(names)), arguments)
    }
  }

  private static func show(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let account = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      try await store.service.account(email, by: .console)
    }
    guard !account.roles.isEmpty else { return Diagnostics.server.note("\(account.email.text) has no roles") }
    for role in account.roles.map(\.rawValue).sorted() { try Output.write(role.escapedForTerminal + "\n") }
  }
}
