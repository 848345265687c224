// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient

/// `passkey whoami`
enum WhoAmICommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "whoami",
    summary: "show who is signed in at a server, and for how long",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Asks the server, and deletes the local session if the server has ended it. Needs a connection; only passkey \
      session can show the last known state, with its time.
      """, ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options + [
      .json, .help,
    ],
    examples: [
      .init(
        command: "passkey whoami --server https://raxx.app",
        meaning: "show the current user; the exit code is 4 when signed out")
    ])

  static func perform(_ options: PlainOptions, at server: LiveServer) async throws(CommandFailure) {
    try await server.print("whoami", asJSON: options.asJSON) { () async throws(CommandFailure) in
      let known = try await server.inSession { (handshake, session) async throws(ClientError) in
        try await handshake.whoAmI(in: &session)
      }
      var report = Report(asJSON: options.asJSON)
      report.add("account", known.account)
      report.add("server", server.options.server.text)
      report.add("session", until: known.expiry, where: true)
      return report.bytes
    }
  }
}
