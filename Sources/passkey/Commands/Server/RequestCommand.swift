// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// `passkey request METHOD PATH`
enum RequestCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "request",
    summary: "send a request with the current session",
    arguments: "[OPTION…] --server URL \(Act.drawing)",
    discussion: [
      """
      Writes the body of the response to standard output, byte for byte. On a terminal, and in passkey session, adds a \
      missing newline at the end. With --json, the body is in the member body if it is JSON or text, otherwise in \
      bodyBase64.
      """,
      """
      If the server requires confirmation, shows the action, asks, runs the ceremony over exactly these bytes, and \
      sends the request with the confirmation once. A request that writes is never repeated. If no response arrives, \
      or Ctrl-C interrupts the request, the command reports that the outcome is unknown.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 2...2,
    options: [
      RequestBody.option, Act.contentTypeOption,
      OptionSpecification(
        name: "--grant-file", value: .init(name: "FILE|-"),
        help: "use this confirmation from passkey step-up, and request no other"),
      Confirmation.option,
    ] + ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(command: "passkey request --server https://raxx.app GET /api/portfolio", meaning: "send a read request"),
      .init(
        command: "passkey request --server https://raxx.app --data @order.json POST /api/orders",
        meaning: "send a write request, confirmed if the server requires it"),
    ],
    literals: Act.methods)

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let act = try Act(arguments)
    let grant = try StepUpGrantFile.grant(arguments, for: act.demand)
    var outcome: RequestOutcome
    do throws(CommandFailure) {
      outcome = try await act.send(at: server, grant)
    } catch {
      // Without a connection, print the last response that this process received, with its age.
      guard act.method == "GET", error.exitCode == .network, let last = server.last(of: act.path) else { throw error }
      Diagnostics.passkey.note(last.banner)
      let answer = RequestAnswer(body: last.body)
      try answer.write(asJSON: arguments.has("--json"), isOneOfMany: server.servesManyLines)
      throw error
    }
    if case .needsStepUp = outcome {
      outcome = try await act.send(at: server, try await server.confirm(act, arguments))
    }
    guard case .answered(let reply) = outcome else {
      throw .refusedByServer(
        "the server asked again for a confirmation of \(act.method) \(act.path.escapedForTerminal)",
        hint: "nothing was changed")
    }
    if reply.isSuccess, act.method == "GET" { server.remember(reply.body, of: act.path) }
    if reply.problem?.isForNobody == true { try server.forgetSession() }
    if reply.isSuccess || arguments.has("--json") {
      let answer = RequestAnswer(status: reply.status, body: reply.body)
      try answer.write(asJSON: arguments.has("--json"), isOneOfMany: server.servesManyLines)
    }
    guard let problem = reply.problem else { return }
    let isUnknown = ServerRequest.isWrite(act.method) && reply.status >= 500
    throw .refusal(by: problem, isUnknown ? .unknown : nil, again: reply.retryAfter)
  }
}
