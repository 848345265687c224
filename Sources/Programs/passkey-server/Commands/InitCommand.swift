// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server init`
enum InitCommand: Command {
  static let specification = CommandSpecification(
    name: "init",
    summary: "create the database, its secret and the first administrator",
    arguments: "[OPTION…] [NAME]",
    discussion: [
      """
      Creates only missing files and changes nothing else: the database and the secret. With the name of an account, \
      creates an administrator and prints a one-time code for their first passkey, or the link to its page if the \
      server has pages. The code is shown once.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...1,
    options: Setting.storeOptions + [UserAddCommand.username, .json, .help],
    examples: [
      .init(command: "passkey-server init ada@raxx.app", meaning: "print the code or link for the first passkey of Ada")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let username = arguments[UserAddCommand.username]
    guard !arguments.positionals.isEmpty || username == nil else {
      throw .usage("--username needs an email address beside it", hint: "omit --username")
    }
    /// The names of the first administrator; `nil` if none is created.
    let names = try arguments.positionals.first.map { (text) throws(CommandFailure) in
      try Console.names(Console.name(text, arguments), username: username, arguments)
    }
    let configuration = try ServerConfiguration(arguments)
    let pages = configuration.pageOrigin
    let code = try Console.use(arguments, for: .creating) {
      (store, context) async throws(ServiceError) -> OneTimeCode? in
      guard let names else { return nil }
      return try await Console.createAccount(
        names, roles: [.administrator], in: store, context, pagesAt: pages)
    }
    guard !arguments.asksForJSON else {
      return try Output.writeObject { (object) in
        object.write("database", .string("\(configuration.database)"))
        object.write("secret", .string(configuration.secretPath))
        code?.write(to: &object)
      }
    }
    Diagnostics.server.note("the database is \(configuration.database)")
    Diagnostics.server.note("the secret is \(configuration.secretPath.escapedForTerminal): keep a copy")
    if let names, let code {
      try Console.write(code, that: "creates the first passkey of \(names.primary.text)", asJSON: false)
    }
  }
}
