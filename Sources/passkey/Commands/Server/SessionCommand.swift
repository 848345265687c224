// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient

/// `passkey session`
enum SessionCommand: Command {
  static let specification = CommandSpecification(
    name: "session",
    summary: "work as whoever is signed in, line by line",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Reads commands, which are those of this program without its name: whoami, request, step-up, sessions, sign-in and \
      sign-out; exit leaves. On a terminal the line can be edited, Tab completes, and the arrows bring earlier lines back, \
      which are kept nowhere. The prompt says who is signed in and for how long; before a session ends, and when there is \
      no connection, it is said. What was read last is shown then, with its time; what writes is cancelled, and never sent \
      later.
      """,
      """
      Ctrl-C calls off the line that runs, and no more: what was to be written is cancelled, or it is said that it is not \
      known what became of it. At the prompt a second Ctrl-C leaves, and so does Ctrl-D. --yes and --json hold for every \
      line; --data - does not go, since standard input is the lines.
      """,
      """
      Lines from a file or a pipe are done until one of them fails, which is the last, and whose exit code is that of the \
      whole. Times of day are this machine's, in its time zone.
      """,
      "Whoever is not signed in is, first. After 15 minutes without a line the session is ended, and so is this.",
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(
        name: "--idle-limit", value: .init(name: "SECONDS"), help: "after how long without a line it ends (900)")
    ] + ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(command: "passkey session --server https://raxx.app", meaning: "until exit, Ctrl-D, or 15 idle minutes"),
      .init(
        command: "passkey session --server https://raxx.app --no-store <commands",
        meaning: "lines from a file, up to the first that fails"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let idleLimit = Duration.seconds(Int64(clamping: min(try arguments.number("--idle-limit") ?? 900, 86_400)))
    let server = try LiveServer(arguments, servesManyLines: true)
    let loop = SessionLoop(server, idleLimit: idleLimit, inherited: SessionLine.inherited.filter { arguments.has($0) })
    defer { try? Blocking.wait { () async throws(CommandFailure) in await server.close() } }
    try loop.run()
  }
}
