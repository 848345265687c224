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
    options: Setting.storeOptions + [.role, .json, .help],
    examples: [
      .init(command: "passkey-server user add ada@raxx.app --role admin", meaning: "add another administrator")
    ])

  struct Options: CommandArguments {
    fileprivate let account: AccountOptions
    fileprivate let roles: Set<Role>

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      account = try AccountOptions(arguments)
      roles = Console.roles(arguments.all(OptionSpecification.role.name))
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (email, roles) = (options.account.email, options.roles)
    let code = try Console.use(options.account.settings) { (store, context) async throws(ServiceError) in
      let (_, code) = try await store.service.createAccount(email, roles: roles, by: .console, in: context)
      return OneTimeCode(
        text: code.exposedText, email: email, lifetime: store.service.policy.recoveryLifetime, issued: context.time)
    }
    try Console.write(code, that: "creates the first passkey of \(email.text)", asJSON: options.account.asJSON)
  }
}

extension OptionSpecification {
  static let role = Self(
    name: "--role", value: .init(name: "ROLE"), isRepeatable: true, help: "grant this role, such as admin")
}
