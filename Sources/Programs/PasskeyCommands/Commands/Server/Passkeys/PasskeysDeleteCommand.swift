// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyProfiles
internal import WebAuthnClient

/// `passkey passkeys delete ID`
enum PasskeysDeleteCommand: ServerCommand {
  private static let last = Option("--allow-last", help: "delete the passkey even if the account has no other one")

  static let specification = CommandSpecification(
    name: "passkeys delete",
    summary: "delete one of your account's passkeys at a server",
    arguments: "[OPTION…] --server URL ID",
    discussion: [
      """
      ID is the beginning of a passkey's id, as passkey passkeys list shows it. Confirms the deletion with a passkey if the \
      server requires it. Its private key stays in the vault, where passkey keys delete deletes it.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 1...1,
    options: [last] + ServerOptions.options + DeviceChoice.options + TerminalClientInteraction.options + [
      .json, .help,
    ],
    rareOptions: ServerOptions.rareOptions + [last],
    examples: [
      .init(
        command: "passkey passkeys delete --server https://raxx.app Zk3q",
        meaning: "delete the passkey whose id begins with Zk3q")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let passkey = try await server.passkey(arguments.positionals[0])
    let allowsLast = arguments[last]
    if server.options.profile.confirms(.deleteCredential) { try server.opener.open() }
    try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.deleteCredential(passkey.id, allowingLast: allowsLast, in: &session)
    }
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("deleted", passkey.id, as: "id")
    try report.write()
  }
}
