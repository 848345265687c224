// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// `passkey-server user roles EMAIL [ROLE…]`
enum UserRolesCommand: Command {
  static let specification = CommandSpecification(
    name: "user roles",
    summary: "show what an account may do, or choose it",
    arguments: "[OPTION…] EMAIL [ROLE…]",
    discussion: [
      "The roles that are named take the place of all that the account has. Where none is named they are shown, a line each, and nothing changes.",
      ExitCode.paragraph,
    ],
    positionalCount: 1...17,
    options: Setting.storeOptions + [
      OptionSpecification(name: none, help: "take every role away"), .help,
    ],
    examples: [
      .init(command: "passkey-server user roles ada@raxx.app", meaning: "what Ada may do"),
      .init(command: "passkey-server user roles ada@raxx.app admin trader", meaning: "what she may do from now on"),
    ])

  private static let none = "--none"

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let names = arguments.positionals.dropFirst()
    switch (arguments.has(none), names.isEmpty) {
    case (true, false):
      throw .usage("\(none) takes every role away, and a role is named", hint: "omit one of the two")
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
