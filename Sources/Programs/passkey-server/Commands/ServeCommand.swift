// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// `passkey-server serve`, and `passkey-server` without a command.
enum ServeCommand: Command {
  static let forTests = Option(
    "--for-tests",
    help: "serve a test on a free port: files in a temporary folder, high limits, no waiting, variables for passkey")

  static let specification = CommandSpecification(
    name: "serve",
    summary: "serve until stopped (the default command)",
    arguments: "[OPTION…]",
    discussion: [
      """
      Every setting is an option here, a variable PASSKEY_… in the environment, or a member of the file; the first of \
      these wins. Lists in the environment are separated by commas. RP_ID, RP_NAME and ORIGIN are read too. The \
      passkey program shares PASSKEY_RP_ID, PASSKEY_ORIGIN and PASSKEY_PROFILE.
      """,
      """
      SIGTERM, SIGINT and closing the terminal stop the server after it finishes running requests, within ten seconds. \
      SIGHUP from another process makes it reload the certificate, the keys of push services and the metadata, and \
      reopen the access log and the audit log, without losing a request.
      """,
      "Cookies are always Secure, except in development mode: the server listens on a loopback address without TLS and without --trusted-proxy, and the request names this machine in Host and has no header field of a proxy. If the profile delivers sessions in cookies first, the server warns of it at start.",
      """
      With --for-tests, the server keeps all files in a temporary folder, which it removes at its end, has high limits, and \
      waits for nothing. It listens on a free loopback port and prints one line with the variables of passkey, for eval. It \
      reads neither variables nor a file.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: [forTests] + Setting.allOptions + [.help],
    examples: [
      .init(command: "passkey-server", meaning: "run a development server on this machine"),
      .init(
        command: "passkey-server --config /etc/passkey-server.json --listen 127.0.0.1:8080",
        meaning: "run behind a proxy, with a settings file"),
      .init(
        command: "eval \"$(passkey-server --for-tests &)\"",
        meaning: "run a server for the tests of this shell; kill $PASSKEY_SERVER_PID ends it"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let tests = try arguments[forTests] ? TestServer(arguments) : nil
    defer { tests?.remove() }
    let settings = if let tests { tests.settings } else { try arguments.settings() }
    let configuration = try ServerConfiguration(settings)
    let created = CreatedFiles(configuration)
    // Block the signals before any other thread starts, since threads inherit the signal mask.
    let signals = StopSignals()
    let server = try Blocking.wait { () async throws(CommandFailure) in try await RunningServer.start(configuration) }
    for warning in configuration.warnings { Diagnostics.server.note("warning: \(warning)") }
    if tests == nil, let note = created.note { Diagnostics.server.note(note) }
    Diagnostics.server.note("serving \(configuration.relyingParty.id) at \(server.url)")
    if let origin = configuration.pageOrigin { Diagnostics.server.note("the pages are at \(origin)/") }
    try tests?.announce(configuration, at: server.url)
    signals.wait(renewing: server.reload)
    Diagnostics.server.note("stopping")
    try Blocking.wait { () async throws(CommandFailure) in await server.stop() }
  }
}
