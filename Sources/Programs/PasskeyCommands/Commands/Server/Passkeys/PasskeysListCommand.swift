// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient

/// `passkey passkeys list`
enum PasskeysListCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "passkeys list",
    summary: "list your account's passkeys at a server",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Prints a line for each passkey that can sign in to the account: the beginning of its id, its name, its provider, and \
      the times of creation and last use. The provider is the password manager or the model of the security key, if the \
      server knows it.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options
      + [.jsonLines, .help],
    rareOptions: ServerOptions.rareOptions,
    examples: [.init(command: "passkey passkeys list --server https://raxx.app", meaning: "list your passkeys")])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let asJSON = arguments.asksForJSON
    try await server.print("passkeys", asJSON: asJSON) { () async throws(CommandFailure) in
      let passkeys = try await server.inSession { (handshake, session) async throws(ClientError) in
        try await handshake.credentials(in: &session)
      }
      return asJSON ? passkeys.flatMap(json) : table(of: passkeys)
    }
  }

  private static func table(of passkeys: [CredentialEntry]) -> [UInt8] {
    let heads = ["ID", "NAME", "PROVIDER", "CREATED", "LAST USED", "STATE"]
    let rows = passkeys.map { (passkey) in
      [
        String(passkey.id.prefix(10)), passkey.name ?? "", passkey.provider ?? "-", passkey.created?.description ?? "-",
        passkey.lastUsed?.description ?? "-", passkey.isDisabled ? "disabled" : "",
      ].map(\.escapedForTerminal)
    }
    return [UInt8](TextTable(rows: [heads] + rows, width: TerminalWidth.columns(of: .standardOutput)).text.utf8)
  }

  private static func json(_ passkey: CredentialEntry) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("id", .string(passkey.id))
      object.write("name", .text(passkey.name))
      object.write("provider", .text(passkey.provider))
      object.write("createdAt", .time(passkey.created))
      object.write("lastUsedAt", .time(passkey.lastUsed))
      object.write("disabled", .bool(passkey.isDisabled))
      object.write("backedUp", .bool(passkey.isBackedUp))
    } + [UInt8(ascii: "\n")]
  }
}
