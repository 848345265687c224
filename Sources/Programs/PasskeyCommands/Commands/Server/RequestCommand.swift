// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient

/// `passkey request METHOD PATH`
enum RequestCommand: ServerCommand {
  static let grantFile = Option(
    "--grant-file", "FILE|-",
    help: "use this confirmation from passkey step-up, and request no other")

  static let specification = CommandSpecification(
    name: "request",
    summary: "send a request with the current session",
    arguments: "[OPTION…] --server URL \(RequestArguments.placeholder)",
    discussion: [
      """
      Writes the body of a successful response to standard output, unchanged, except that a terminal gets control \
      characters escaped. On a terminal, and in passkey session, adds a missing newline at the end. With --json, \
      prints the status and the body of every response, also of a refused one: in the member body if it is JSON or \
      text, otherwise in bodyBase64.
      """,
      """
      If the server requires confirmation, shows the action, asks, runs the ceremony over exactly these bytes, and \
      sends the request with the confirmation once. A request that writes is never repeated. If no response arrives, \
      or Ctrl-C interrupts the request, the command reports that the outcome is unknown.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: RequestArguments.positionalCount,
    options: [
      RequestArguments.bodyOption, RequestArguments.headerOption, RequestArguments.contentTypeOption, grantFile,
      Confirmer.option,
    ]
      + ServerOptions.options + DeviceChoice.options + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions + [
      RequestArguments.headerOption, RequestArguments.contentTypeOption, grantFile,
    ],
    examples: [
      .init(command: "passkey request --server https://raxx.app GET /api/portfolio", meaning: "send a read request"),
      .init(
        command: "passkey request --server https://raxx.app --data @order.json POST /api/orders",
        meaning: "send a write request, confirmed if the server requires it"),
    ],
    literals: RequestArguments.methods)

  static func perform(_ request: RequestArguments, at server: LiveServer) async throws(CommandFailure) {
    let arguments = request.arguments
    let grant = try arguments[grantFile].map { (file) throws(CommandFailure) in try request.grant(from: file) }
    let confirmer = Confirmer(arguments)
    var outcome: RequestOutcome
    do throws(CommandFailure) {
      outcome = try await request.send(at: server, grant)
    } catch {
      // Without a connection, print the last response that this process received, with its age.
      guard request.method == "GET", error.exitCode == .network, let last = server.last(of: request.path) else {
        throw error
      }
      Diagnostics.passkey.note(last.banner)
      let answer = RequestAnswer(body: last.body)
      try answer.write(asJSON: arguments.asksForJSON, isOneOfMany: server.servesManyLines)
      throw error
    }
    if case .needsStepUp = outcome {
      outcome = try await request.send(at: server, try await confirmer.confirm(request, at: server))
    }
    guard case .answered(let reply) = outcome else {
      throw .refusedByServer(
        "the server asked again for a confirmation of \(request.method) \(request.path.escapedForTerminal)",
        hint: "nothing was changed")
    }
    if reply.isSuccess, request.method == "GET" { server.sessions.remember(reply.body, of: request.path) }
    if reply.problem?.refusesSession == true, let session = server.sessions.current {
      try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.forget(session) }
    }
    if reply.isSuccess || arguments.asksForJSON {
      let answer = RequestAnswer(status: reply.status, body: reply.body)
      do throws(CommandFailure) {
        try answer.write(asJSON: arguments.asksForJSON, isOneOfMany: server.servesManyLines)
      } catch {
        throw error.hinting("the server answered \(request.method) with status \(reply.status)")
      }
    }
    guard let problem = reply.problem else { return }
    let isUnknown = ServerRequest.isWrite(request.method) && reply.status >= 500
    throw .refusal(by: problem, isUnknown ? .unknown : nil, again: reply.retryAfter(now: Clock.now))
  }
}
