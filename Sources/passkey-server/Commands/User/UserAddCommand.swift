// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService

/// `passkey-server user add EMAIL`
enum UserAddCommand: Command {
  static let specification = CommandSpecification(
    name: "user add",
    summary: "create an account, and a code for its first passkey",
    arguments: "[OPTION…] EMAIL",
    discussion: [
      "Prints a one-time code once. The owner of the account enters it to create a passkey.", ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.storeOptions + [.role, .help],
    examples: [
      .init(command: "passkey-server user add ada@raxx.app --role admin", meaning: "add another administrator")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let roles = Console.roles(arguments.all(OptionSpecification.role.name))
    let (code, lifetime) = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let (_, code) = try await store.service.createAccount(email, roles: roles, by: .console, in: context)
      return (code.exposedText, store.service.policy.recoveryLifetime)
    }
    try Console.write(code, that: "creates the first passkey of \(email.text)", for: lifetime)
  }
}

extension OptionSpecification {
  static let role = Self(
    name: "--role", value: .init(name: "ROLE"), isRepeatable: true, help: "grant this role, such as admin")
}
