// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService

// Commands that print a one-time code.

/// `passkey-server user invite [EMAIL]`
enum UserInviteCommand: Command {
  static let specification = CommandSpecification(
    name: "user invite",
    summary: "print a code with which somebody makes an account",
    arguments: "[OPTION…] [EMAIL]",
    discussion: ["Without an e-mail address, whoever has the code chooses theirs."],
    positionalCount: 0...1,
    options: Setting.storeOptions + [.role, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email: EmailAddress? =
      if let text = arguments.positionals.first { try Console.email(text) } else { nil }
    let roles = Console.roles(arguments.all(OptionSpecification.role.name))
    let code = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      try await store.service.invite(email, roles: roles, by: .console, in: context).exposedText
    }
    try Output.write("\(code)\n")
  }
}

/// `passkey-server user recover EMAIL`
enum UserRecoverCommand: Command {
  static let specification = CommandSpecification(
    name: "user recover",
    summary: "print a code with which an account gets another passkey",
    arguments: "[OPTION…] EMAIL",
    discussion: ["For whoever has lost every passkey. Be sure who asks: the code lets its owner in."],
    positionalCount: 1...1,
    options: Setting.storeOptions + [.help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let code = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(email, by: .console).handle
      return try await store.service.recover(handle, by: .console, in: context).exposedText
    }
    try Output.write("\(code)\n")
  }
}
