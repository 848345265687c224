// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// `passkey request METHOD PATH`
enum RequestCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "request",
    summary: "make a request as whoever is signed in",
    arguments: "[OPTION…] --server URL \(Act.drawing)",
    discussion: [
      """
      The body of the answer goes to standard output, byte for byte; on a terminal, and in passkey session, a new line is \
      added where it ends without one. With --json it is the member body, where it is JSON or text, or else bodyBase64.
      """,
      """
      Where the server wants the act to be confirmed, it shows what is about to be confirmed, asks, does the ceremony over \
      exactly these bytes, and sends the request with it, once. Nothing that writes is ever tried again: where no answer \
      came, or Ctrl-C did before one, it is said that it is not known what became of it.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 2...2,
    options: [
      RequestBody.option, Act.contentTypeOption,
      OptionSpecification(
        name: "--grant-file", value: .init(name: "FILE|-"),
        help: "show this confirmation, which passkey step-up printed, and ask for no other"),
      Confirmation.option,
    ] + ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(command: "passkey request --server https://raxx.app GET /api/portfolio", meaning: "a read"),
      .init(
        command: "passkey request --server https://raxx.app --data @order.json POST /api/orders",
        meaning: "a write, confirmed where the server wants that"),
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
        "the server wants \(act.method) \(act.path.escapedForTerminal) confirmed again, though it was",
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
