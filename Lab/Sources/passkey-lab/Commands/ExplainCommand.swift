// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// `passkey explain --serve`
enum ExplainCommand: Command {
  private static let serve = Option("--serve", help: "serve the page")
  private static let port = Option("--port", "PORT", help: "listen at this port; 0 picks a free port (0)")

  static let specification = CommandSpecification(
    name: "explain",
    summary: "explain artifacts in a page on this machine",
    arguments: "--serve [OPTION…]",
    discussion: [
      """
      Serves a page at 127.0.0.1 and prints its address. Paste a response, options, a file of cases or another artifact: \
      the page shows each step of verify --explain beside what inspect shows. Nothing is stored, and nothing leaves this \
      machine. The page has no script and loads only its own style sheets.
      """,
      """
      The address contains a random part, so that other users of this machine cannot open the page. Requests that other \
      pages send are refused. Ctrl-C ends the server.
      """,
      "Exit codes: 1 the port is taken, 2 invalid usage. SIGINT and SIGTERM end it.",
    ],
    positionalCount: 0...0,
    options: [serve, port, .help],
    examples: [
      .init(command: "passkey explain --serve", meaning: "serve the page until Ctrl-C"),
      .init(
        command: "passkey explain --serve --port 8089", meaning: "serve it at a port that a tunnel or firewall knows"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard arguments[serve] else {
      throw .usage("explain needs --serve", hint: "in a terminal, use passkey inspect or passkey verify --explain")
    }
    let text = arguments[Self.port] ?? "0"
    guard let port = UInt16(text) else {
      throw .usage("--port cannot be \(text.quotedForTerminal)", hint: "write a number from 0 to 65535")
    }
    let server: ExplainServer
    do {
      server = try ExplainServer(port: port)
    } catch let error as SystemError {
      throw .inputOutput(
        "cannot listen at port \(port): \(error.message)", hint: "omit --port to use a free port")
    } catch {
      throw .inputOutput("cannot make the address of the page: \(error)")
    }
    try Output.write("\(server.address)\n")
    Diagnostics.passkey.note("serving the page at this address until Ctrl-C")
    try mapError(server.serve()) { (error: SystemError) in
      CommandFailure.inputOutput("cannot accept connections: \(error.message)")
    }
  }
}
