// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// `passkey-server serve`, and `passkey-server` without a command.
enum ServeCommand: Command {
  static let specification = CommandSpecification(
    name: "serve",
    summary: "serve until told to stop; what is done without a command",
    arguments: "[OPTION…]",
    discussion: [
      "Every setting is an option here, a variable PASSKEY_… in the environment, or a member of the file: the first of these counts. A list has commas in the environment. RP_ID, RP_NAME and ORIGIN are read as well; passkey reads PASSKEY_RP_ID, PASSKEY_ORIGIN and PASSKEY_PROFILE too.",
      "SIGTERM and SIGINT stop it, and so does a terminal that is closed: what was begun comes to its end first, for ten seconds at the most. SIGHUP from anybody else has the certificate read anew and the access log and audit log opened anew; no request is lost by it.",
      "Cookies are always Secure, except in development mode: the server listens on a loopback address without TLS and without --trusted-proxy, and the request names this machine in Host and has no header field of a proxy. The server warns about it when it starts.",
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.allOptions,
    examples: [
      .init(command: "passkey-server", meaning: "a development server on this machine alone"),
      .init(
        command: "passkey-server --config /etc/passkey-server.json --listen 127.0.0.1:8080",
        meaning: "behind a proxy, with a file"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try ServerConfiguration(arguments)
    // Block the signals before any other thread starts, since threads inherit the signal mask.
    let signals = StopSignals()
    let server = try Blocking.wait { () async throws(CommandFailure) in try await RunningServer.start(configuration) }
    for warning in configuration.warnings { Diagnostics.server.note("warning: \(warning)") }
    Diagnostics.server.note("serving \(configuration.relyingParty.id) at \(server.url)")
    signals.wait(renewing: server.reload)
    Diagnostics.server.note("stopping")
    try Blocking.wait { () async throws(CommandFailure) in await server.stop() }
  }
}
