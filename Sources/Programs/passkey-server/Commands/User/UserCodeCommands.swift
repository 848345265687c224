// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyService
internal import PasskeySystem

// Commands that print a one-time code.

/// `passkey-server user invite [EMAIL]`
enum UserInviteCommand: Command {
  static let specification = CommandSpecification(
    name: "user invite",
    summary: "print a code for creating an account",
    arguments: "[OPTION…] [EMAIL]",
    discussion: [
      "If no email address is given, the person with the code chooses the names of the account.",
      Console.noticeParagraph,
      ExitCode.paragraph,
    ],
    positionalCount: 0...1,
    options: Setting.accountOptions + [UserAddCommand.role, .json, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try arguments.positionals.first.map(Console.email)
    let roles = Console.roles(arguments[UserAddCommand.role])
    let code = try Console.open(arguments) { (store) async throws(CommandFailure) in
      if let email { try await requireNew(email, store.service) }
      let context = Console.context
      let code = try await mapError(
        async: await store.service.invite(email, roles: roles, by: .console, in: context), CommandFailure.init)
      return OneTimeCode(
        text: code.exposedText, name: email.map { .email($0) }, lifetime: store.service.policy.invitationLifetime,
        issued: context.time)
    }
    try Console.write(
      code, that: "creates an account for \(email?.text ?? "an address of the user's choice")",
      asJSON: arguments.asksForJSON)
  }

  /// Throws if the address has an account: an invitation for it could never be used.
  private static func requireNew(_ email: EmailAddress, _ service: AuthService) async throws(CommandFailure) {
    do throws(ServiceError) {
      _ = try await service.account(.email(email), by: .console)
    } catch {
      guard error.code == .accountUnknown else { throw CommandFailure(error) }
      return
    }
    throw .emailTaken
  }
}

/// `passkey-server user recover NAME`
enum UserRecoverCommand: Command {
  static let specification = CommandSpecification(
    name: "user recover",
    summary: "print a code for adding a passkey to an account",
    arguments: "[OPTION…] NAME",
    discussion: [
      "For users who lost every passkey. Verify their identity first: the code signs them in.", Console.noticeParagraph,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Console.accountOptions,
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let code = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      let code = try await store.service.recover(handle, by: .console, in: context)
      return OneTimeCode(
        text: code.exposedText, name: name, lifetime: store.service.policy.recoveryLifetime, issued: context.time)
    }
    try Console.write(code, that: "creates another passkey for \(name.text)", asJSON: arguments.asksForJSON)
  }
}
