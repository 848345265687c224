// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient

/// `passkey email change ADDRESS`
enum EmailChangeCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "email change",
    summary: "change the email address of your account",
    arguments: "[OPTION…] --server URL ADDRESS",
    discussion: [
      """
      Confirms the change with a passkey. The server then sends a code to the new address, and the change is done with that \
      code. The old address is informed at once. An address that another account has gets another mail, without a code.
      """,
      MailCodeSource.explanation,
      ServerOptions.exitCodes,
    ],
    positionalCount: 1...1,
    options: [MailCodeSource.codeOption, MailCodeSource.commandOption] + ServerOptions.options + DeviceChoice.options
      + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions + [MailCodeSource.commandOption],
    examples: [
      .init(
        command: "passkey email change --server https://raxx.app ada@example.org",
        meaning: "change the address, and type the code from the mail")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let address = arguments.positionals[0]
    // The server decides which addresses it accepts. This finds only misspelled ones.
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count >= 2, !parts.contains("") else {
      throw .usage(
        "the address cannot be \(address.quotedForTerminal)", hint: "write an address such as ada@example.org")
    }
    let source = try MailCodeSource(arguments)
    // Fail before the device is opened, if there is no session.
    _ = try await server.session()
    try server.opener.open()
    let verification = try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.changeEmail(to: address, in: &session)
    }
    try await EmailVerifyCommand.finish(
      verification, .addressChange, source, asJSON: arguments.asksForJSON, at: server)
  }
}
