// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user add NAME`
enum UserAddCommand: Command {
  static let username = Option(
    "--username", "USERNAME", help: "the user name of the account, beside its email address")
  static let role = Option<[String]>("--role", "ROLE", help: "grant this role, such as admin")

  static let specification = CommandSpecification(
    name: "user add",
    summary: "create an account, and a code for its first passkey",
    arguments: "[OPTION…] NAME",
    discussion: [
      """
      Prints a one-time code once, or the link to its page if the server has pages. The owner of the account creates a \
      passkey with it.
      """,
      Console.noticeParagraph,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.accountOptions + [username, role, .json, .help],
    examples: [
      .init(command: "passkey-server user add ada@raxx.app --role admin", meaning: "add another administrator")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let names = try Console.names(name, username: arguments[username], arguments)
    let roles = Console.roles(arguments[role])
    let pages = try ServerConfiguration(arguments).pageOrigin
    let code = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      try await Console.createAccount(names, roles: roles, in: store, context, pagesAt: pages)
    }
    try Console.write(code, that: "creates the first passkey of \(name.text)", asJSON: arguments.asksForJSON)
  }
}
