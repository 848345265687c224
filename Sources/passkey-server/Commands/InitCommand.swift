// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// `passkey-server init`
enum InitCommand: Command {
  static let specification = CommandSpecification(
    name: "init",
    summary: "create the database, the secret and the first administrator",
    arguments: "[OPTION…] [NAME]",
    discussion: [
      """
      Creates only missing files and changes nothing else. With the name of an account, creates an administrator and prints \
      a one-time code for their first passkey. The code is shown once.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...1,
    options: Setting.storeOptions + [.json, .help],
    examples: [
      .init(command: "passkey-server init ada@raxx.app", meaning: "print the code with which Ada creates a passkey")
    ])

  struct Options: CommandArguments {
    fileprivate let store: StoreOptions
    /// The first administrator; `nil` if none is created.
    fileprivate let name: AccountName?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      store = StoreOptions(arguments)
      name = if let text = arguments.positionals.first { try Console.name(text, store.settings) } else { nil }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let name = options.name
    let code = try Console.use(options.store.settings, for: .creating) {
      (store, context) async throws(ServiceError) -> OneTimeCode? in
      guard let name else { return nil }
      let (_, code) = try await store.service.createAccount(
        AccountNames(name), roles: [.administrator], by: .console, in: context)
      return OneTimeCode(
        text: code.exposedText, name: name, lifetime: store.service.policy.recoveryLifetime, issued: context.time)
    }
    let configuration = try ServerConfiguration(options.store.settings)
    guard !options.store.asJSON else {
      return try Output.writeObject { (object) in
        object.write("database", .string("\(configuration.database)"))
        object.write("secret", .string(configuration.secretPath))
        code?.write(to: &object)
      }
    }
    Diagnostics.server.note("the database is \(configuration.database)")
    Diagnostics.server.note("the secret is \(configuration.secretPath.escapedForTerminal): keep a copy")
    if let name, let code {
      try Console.write(code, that: "creates the first passkey of \(name.text)", asJSON: false)
    }
  }
}
