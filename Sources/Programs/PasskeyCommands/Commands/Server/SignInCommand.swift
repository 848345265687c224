// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnClient

/// `passkey sign-in`
enum SignInCommand: ServerCommand {
  private static let mediation = Option<SignInRequestMediation?>(
    "--mediation", "HOW",
    help: "begin the sign-in as a page does that asks at once, or that offers passkeys in a form (the server's choice)")

  static let specification = CommandSpecification(
    name: "sign-in",
    summary: "sign in at a server with a passkey",
    arguments: "[OPTION…] --server URL [--user EMAIL]",
    discussion: [
      """
      Without --user, looks up the vault's passkeys for the server and asks if there are several. The session's token \
      is kept until sign-out in $XDG_STATE_HOME/passkey or ~/.local/state/passkey, readable only by you. A private key \
      never leaves the vault. A session of the same user that was kept there is ended at the server.
      """,
      """
      The server may also send a client mark, which exempts this client from rate limits that strangers share. The \
      mark is kept next to the session, sent to this server only, and stays after sign-out. It grants no access.
      """,
      """
      A profile is raxx, yapt, aiday, or a JSON file that describes another server's routes, messages and cookies; see \
      Documentation/Profiles.md.
      """,
      TerminalClientInteraction.ownersYes,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [mediation]
      + ServerOptions.optionList(
        describingUser: "the user to sign in (choose among the vault's passkeys; $PASSKEY_USER)")
      + DeviceChoice.options + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions + [mediation],
    examples: [
      .init(command: "passkey sign-in --server https://raxx.app --user ada@raxx.app", meaning: "sign in as Ada"),
      .init(
        command: "passkey sign-in --server https://raxx.app",
        meaning: "sign in with the vault's passkey for this server"),
      .init(
        command: "passkey sign-in --server https://api.raxx.app --origin https://raxx.app --profile raxx",
        meaning: "sign in at a server whose API has its own host"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let session = try await server.signIn(as: try arguments.user, mediation: arguments[mediation])
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("user", session.user)
    report.add("server", session.server.text)
    report.add("session", until: session.expiry, where: true)
    try report.write()
  }
}

extension SignInRequestMediation: OptionValue {}
