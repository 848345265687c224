// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyProfiles
internal import WebAuthnClient

/// `passkey whoami`
enum WhoAmICommand: ServerCommand {
  private static let verify = Option(
    "--verify", help: "confirm with a passkey that you are still the user of the session")

  static let specification = CommandSpecification(
    name: "whoami",
    summary: "show who is signed in at a server, and for how long",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Asks the server, and deletes the local session if the server has ended it. Needs a connection; only passkey \
      session can show the last known state, with its time.
      """,
      """
      With --verify, the server also asks for a passkey again. This opens no other session.
      """, ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [verify] + ServerOptions.options + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options + [
      .json, .help,
    ],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey whoami --server https://raxx.app",
        meaning: "show the current user; the exit code is 4 when signed out"),
      .init(
        command: "passkey whoami --server https://raxx.app --verify",
        meaning: "confirm with a passkey that the session is still yours"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    if arguments[verify] { return try await verify(asJSON: arguments.asksForJSON, at: server) }
    try await server.print("whoami", asJSON: arguments.asksForJSON) { () async throws(CommandFailure) in
      let known = try await server.inSession { (handshake, session) async throws(ClientError) in
        try await handshake.whoAmI(in: &session)
      }
      return report(known, asJSON: arguments.asksForJSON, at: server).bytes
    }
  }

  /// Asks for a passkey again. Its result is never repeated without a connection.
  private static func verify(asJSON: Bool, at server: LiveServer) async throws(CommandFailure) {
    var report = report(try await server.reverify(), asJSON: asJSON, at: server)
    report.add("verified", flag: "with a passkey")
    try report.write()
  }

  private static func report(_ known: SignedInAccount, asJSON: Bool, at server: LiveServer) -> Report {
    var report = Report(asJSON: asJSON)
    report.add("account", known.account)
    report.add("server", server.options.server.text)
    report.add("session", until: known.expiry, where: true)
    return report
  }
}
