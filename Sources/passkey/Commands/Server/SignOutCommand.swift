// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient

/// `passkey sign-out`
enum SignOutCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "sign-out",
    summary: "end the session at a server",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      The token is deleted here whatever the server says. Where the server cannot be told, the exit code is 3, and it is \
      said when the session ends there by itself.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + [.help],
    examples: [.init(command: "passkey sign-out --server https://raxx.app", meaning: "the token is dead from then on")])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    guard server.options.keepsSessions || server.currentSession != nil else {
      throw .usage("there is no session without a store", hint: "leave --no-store out")
    }
    let session = try await server.signOut()
    var report = Report(asJSON: arguments.has("--json"))
    report.add("signed out", session.user ?? "")
    try report.write()
  }
}
