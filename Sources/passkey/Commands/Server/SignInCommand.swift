// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient

/// `passkey sign-in`
enum SignInCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "sign-in",
    summary: "sign in at a server with a passkey",
    arguments: "[OPTION…] --server URL [--user EMAIL]",
    discussion: [
      """
      Without --user the vault says whose passkeys there are for the server, and you choose where there are several. The \
      session's token is kept, readable by nobody else, in $XDG_STATE_HOME/passkey or ~/.local/state/passkey until \
      sign-out; a passkey's private key never leaves the vault. The same user's session that was kept there before is ended \
      at the server.
      """,
      """
      The server may also give a client mark, by which it tells this client from strangers when it limits requests. The mark \
      is kept beside the session, shown to this server alone, and stays after sign-out. It opens nothing.
      """,
      """
      A profile is raxx, yapt, aiday, or a JSON file that names another server's routes, members and cookies; the article \
      ServerProfiles in the documentation of WebAuthnClient describes it.
      """,
      TerminalClientInteraction.ownersYes,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(command: "passkey sign-in --server https://raxx.app --user ada@raxx.app", meaning: "as Ada"),
      .init(command: "passkey sign-in --server https://raxx.app", meaning: "as whoever the vault has a passkey of"),
      .init(
        command: "passkey sign-in --server https://api.raxx.app --origin https://raxx.app --profile raxx",
        meaning: "where the API has a host of its own"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let session = try await server.signIn(as: arguments["--user"])
    var report = Report(asJSON: arguments.has("--json"))
    report.add("user", session.user)
    report.add("server", session.server.text)
    report.add("session", until: session.expiry, where: true)
    try report.write()
  }
}
