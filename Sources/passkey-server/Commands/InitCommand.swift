// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// `passkey-server init`
enum InitCommand: Command {
  static let specification = CommandSpecification(
    name: "init",
    summary: "create the database, the secret and the first administrator",
    arguments: "[OPTION…] [EMAIL]",
    discussion: [
      """
      Creates only missing files and changes nothing else. With an e-mail address, creates an administrator and prints \
      a one-time code for their first passkey. The code is shown once.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...1,
    options: Setting.storeOptions + [.help],
    examples: [
      .init(command: "passkey-server init ada@raxx.app", meaning: "print the code with which Ada creates a passkey")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email: EmailAddress? =
      if let text = arguments.positionals.first { try Console.email(text) } else { nil }
    let (code, lifetime) = try Console.use(arguments, for: .creating) {
      (store, context) async throws(ServiceError) -> (String?, Duration) in
      let lifetime = store.service.policy.recoveryLifetime
      guard let email else { return (nil, lifetime) }
      let (_, code) = try await store.service.createAccount(email, roles: [.administrator], by: .console, in: context)
      return (code.exposedText, lifetime)
    }
    let configuration = try ServerConfiguration(arguments)
    Diagnostics.server.note("the database is \(configuration.database)")
    Diagnostics.server.note("the secret is \(configuration.secretPath.escapedForTerminal): keep a copy")
    if let email, let code {
      try Console.write(code, that: "creates the first passkey of \(email.text)", for: lifetime)
    }
  }
}
