// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnClient

/// `passkey sign-out`
enum SignOutCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "sign-out",
    summary: "end the session at a server",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Deletes the local token whatever the server answers. If the server cannot be reached, the exit code is 3, and \
      the command prints when the session expires.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + VaultLocation.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(command: "passkey sign-out --server https://raxx.app", meaning: "end the session here and at the server")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    guard server.options.keepsSessions || server.sessions.current != nil else {
      throw .usage("--no-store keeps no session to end", hint: "omit --no-store")
    }
    let session: ServerSession
    do throws(CommandFailure) {
      session = try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.signOut() }
    } catch {
      guard error.hint == CommandFailure.signInHint else { throw error }
      throw error.hinting("there is no session to end")
    }
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("signed out", session.user ?? "", as: "user")
    try report.write()
  }
}
