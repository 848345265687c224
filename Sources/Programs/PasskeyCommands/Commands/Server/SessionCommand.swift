// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnClient

/// `passkey session`
enum SessionCommand: Command {
  private static let idleLimit = Option<UInt64?>(
    "--idle-limit", "SECONDS", help: "exit after this long without a command (900)")

  static let specification = CommandSpecification(
    name: "session",
    summary: "run commands interactively with one session",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Reads commands without the program's name: whoami, request, step-up, sessions, sign-in and sign-out; exit leaves \
      the program. On a terminal, lines can be edited, Tab completes, and the arrow keys recall earlier lines, which \
      are not saved. The prompt shows the user and the remaining time. A notice appears before the session expires and \
      when the connection is lost. Offline, reads show the last response with its time; writes are cancelled and never \
      sent later.
      """,
      """
      Ctrl-C cancels the running line only: a write is cancelled, or reported as unknown if it may have reached the \
      server. At the prompt, a second Ctrl-C or Ctrl-D exits. --yes and --json apply to every line. --data - is not \
      available, because standard input contains the commands.
      """,
      """
      Commands from a file or a pipe run until one fails, and its exit code is the exit code of the session. Times of \
      day are in this machine's time zone.
      """,
      "Signs in first if necessary. Asks for a passkey again in a stored session, if the server can. After 15 minutes without a command, ends the session and exits.",
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [idleLimit] + ServerOptions.options + DeviceChoice.options + TerminalClientInteraction.options + [
      .jsonLines, .help,
    ],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey session --server https://raxx.app",
        meaning: "run commands until exit, Ctrl-D, or 15 idle minutes"),
      .init(
        command: "passkey session --server https://raxx.app --no-store <commands",
        meaning: "run commands from a file until one fails"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let connection = try ConnectionOptions(arguments)
    let idleLimit = Duration.seconds(Int64(clamping: min(arguments[Self.idleLimit] ?? 900, 86_400)))
    let inherited = SessionLine.inherited.filter { arguments[$0] }
    let server = connection.liveServer(servesManyLines: true)
    let loop = SessionLoop(server, idleLimit: idleLimit, inherited: inherited)
    defer { try? Blocking.wait { () async throws(CommandFailure) in await server.sessions.close() } }
    try loop.run()
  }
}
