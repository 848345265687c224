// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService

// Commands that print a one-time code.

/// `passkey-server user invite [EMAIL]`
enum UserInviteCommand: Command {
  static let specification = CommandSpecification(
    name: "user invite",
    summary: "print a code for creating an account",
    arguments: "[OPTION…] [EMAIL]",
    discussion: ["If no e-mail address is given, the person with the code chooses one.", ExitCode.paragraph],
    positionalCount: 0...1,
    options: Setting.storeOptions + [.role, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email: EmailAddress? =
      if let text = arguments.positionals.first { try Console.email(text) } else { nil }
    let roles = Console.roles(arguments.all(OptionSpecification.role.name))
    let (code, lifetime) = try Console.open(arguments) { (store) async throws(CommandFailure) in
      if let email { try await requireNew(email, store.service) }
      return try await OpenStore.mapErrors { () async throws(ServiceError) in
        let code = try await store.service.invite(email, roles: roles, by: .console, in: Console.context)
        return (code.exposedText, store.service.policy.invitationLifetime)
      }
    }
    try Console.write(
      code, that: "creates an account for \(email?.text ?? "an address of the user's choice")", for: lifetime)
  }

  /// Throws if the address has an account: an invitation for it could never be used.
  private static func requireNew(_ email: EmailAddress, _ service: AuthService) async throws(CommandFailure) {
    do throws(ServiceError) {
      _ = try await service.account(email, by: .console)
    } catch {
      guard error.code == .accountUnknown else { throw CommandFailure(error) }
      return
    }
    throw .emailTaken
  }
}

/// `passkey-server user recover EMAIL`
enum UserRecoverCommand: Command {
  static let specification = CommandSpecification(
    name: "user recover",
    summary: "print a code for adding a passkey to an account",
    arguments: "[OPTION…] EMAIL",
    discussion: [
      "For users who lost every passkey. Verify their identity first: the code signs them in.", ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.storeOptions + [.help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let (code, lifetime) = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(email, by: .console).handle
      let code = try await store.service.recover(handle, by: .console, in: context)
      return (code.exposedText, store.service.policy.recoveryLifetime)
    }
    try Console.write(code, that: "creates another passkey for \(email.text)", for: lifetime)
  }
}
