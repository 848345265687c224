// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user add NAME`
enum UserAddCommand: Command {
  static let specification = CommandSpecification(
    name: "user add",
    summary: "create an account, and a code for its first passkey",
    arguments: "[OPTION…] NAME",
    discussion: [
      "Prints a one-time code once. The owner of the account enters it to create a passkey.", Console.noticeParagraph,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.accountOptions + [.username, .role, .json, .help],
    examples: [
      .init(command: "passkey-server user add ada@raxx.app --role admin", meaning: "add another administrator")
    ])

  struct Options: CommandArguments {
    fileprivate let account: AccountOptions
    fileprivate let names: AccountNames
    fileprivate let roles: Set<Role>

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      account = try AccountOptions(arguments)
      names = try Console.names(
        account.name, username: arguments[OptionSpecification.username.name], account.settings)
      roles = Console.roles(arguments.all(OptionSpecification.role.name))
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (name, names, roles) = (options.account.name, options.names, options.roles)
    let code = try Console.use(options.account.settings) { (store, context) async throws(ServiceError) in
      let (_, code) = try await store.service.createAccount(names, roles: roles, by: .console, in: context)
      return OneTimeCode(
        text: code.exposedText, name: name, lifetime: store.service.policy.recoveryLifetime, issued: context.time)
    }
    try Console.write(code, that: "creates the first passkey of \(name.text)", asJSON: options.account.asJSON)
  }
}

extension OptionSpecification {
  static let username = Self(
    name: "--username", value: .init(name: "USERNAME"), help: "the user name of the account, beside its email address")
  static let role = Self(
    name: "--role", value: .init(name: "ROLE"), isRepeatable: true, help: "grant this role, such as admin")
}
