// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// `passkey request METHOD PATH`
enum RequestCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "request",
    summary: "make a request as whoever is signed in",
    arguments: "[OPTION…] --server URL GET|POST|PUT|PATCH|DELETE PATH",
    discussion: [
      """
      The body of the answer goes to standard output. Where the server wants the act to be confirmed, it shows what is \
      about to be confirmed, asks, does the ceremony over exactly these bytes, and sends the request with it, once. \
      Nothing that writes is ever tried again: where no answer came, it is said that it is not known what became of it.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 2...2,
    options: [
      RequestBody.option,
      OptionSpecification(
        name: "--content-type", value: .init(name: "TYPE"), help: "what the body is (application/json)"),
      OptionSpecification(
        name: "--grant-file", value: .init(name: "FILE|-"),
        help: "show this confirmation, which passkey step-up printed, and ask for no other"),
    ] + ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(command: "passkey request --server https://raxx.app GET /api/portfolio", meaning: "a read"),
      .init(
        command: "passkey request --server https://raxx.app --data @order.json POST /api/orders",
        meaning: "a write, confirmed where the server wants that"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let act = try Act(arguments)
    let grant = try StepUpGrantFile.grant(arguments, for: act.demand)
    var outcome: RequestOutcome
    do throws(CommandFailure) {
      outcome = try await act.send(at: server, grant)
    } catch {
      // What was read before in this process is better than nothing, where it is said how old it is.
      guard act.method == "GET", error.exitCode == .network, let last = server.last(of: act.path) else { throw error }
      Diagnostics.passkey.note(last.banner)
      try Output.write(last.body + [UInt8(ascii: "\n")])
      throw error
    }
    if case .needsStepUp = outcome {
      try Confirmation(arguments).ask(about: act.summary)
      server.confirmation.set(true)
      defer { server.confirmation.set(false) }
      try server.openDevice()
      let confirmed = try await server.inSession { (handshake, session) async throws(ClientError) in
        try await handshake.stepUp(method: act.method, path: act.path, body: act.body, in: &session)
      }
      outcome = try await act.send(at: server, confirmed)
    }
    switch outcome {
    case .answered(let reply):
      if reply.isSuccess, act.method == "GET" { server.remember(reply.body, of: act.path) }
      if reply.problem?.isForNobody == true { try server.forgetSession() }
      try write(reply, to: arguments, isWrite: ServerRequest.isWrite(act.method))
    case .needsStepUp: throw .refusedByServer("the server did not take the confirmation")
    }
  }

  private static func write(
    _ reply: ServerReply, to arguments: ParsedArguments, isWrite: Bool
  ) throws(CommandFailure) {
    if arguments.has("--json") {
      let body = try? JSON.parse(reply.body[...], maximumSize: reply.body.count)
      let object = JSON.writeObject { (object: inout JSONObjectWriter) in
        object.write("status", .integer(reply.status))
        if let body {
          object.write("body", .verbatim(body))
        } else {
          object.write("body", reply.body.isEmpty ? .null : .string(String(decoding: reply.body, as: UTF8.self)))
        }
      }
      try Output.write(object + [UInt8(ascii: "\n")])
    } else if reply.isSuccess, !reply.body.isEmpty {
      // A terminal obeys what it is shown.
      let shown = FileDescriptor.standardOutput.isTerminal ? reply.body.shownOnTerminal : reply.body
      try Output.write(shown + (shown.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]))
    }
    guard let problem = reply.problem else { return }
    throw CommandFailure.refusal(by: problem, isWrite && reply.status >= 500 ? .unknown : nil)
  }
}

/// A request, as the command line has it.
private struct Act: Sendable {
  let method: String
  let path: String
  let body: [UInt8]
  private let contentType: String?

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    method = arguments.positionals[0].uppercased()
    path = arguments.positionals[1]
    body = try RequestBody.bytes(arguments)
    contentType = arguments[RequestBody.option.name] == nil ? nil : arguments["--content-type"] ?? "application/json"
  }

  var demand: StepUpDemand { StepUpDemand(method: method, path: path, body: body[...]) }
  var summary: ActSummary { ActSummary(method: method, path: path, body: body) }

  func send(at server: LiveServer, _ grant: StepUpGrant?) async throws(CommandFailure) -> RequestOutcome {
    try await server.inSession(writes: ServerRequest.isWrite(method)) {
      (handshake, session) async throws(ClientError) in
      try await handshake.send(
        method: method, path: path, body: body, contentType: contentType, grant: grant, in: &session)
    }
  }
}

extension [UInt8] {
  /// Lines and tabs as they are, and what else a terminal would obey escaped.
  fileprivate var shownOnTerminal: [UInt8] {
    let lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { (line) in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let cells = text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      return cells.map { String(decoding: $0, as: UTF8.self).escapedForTerminal }.joined(separator: "\t")
    }
    return [UInt8](lines.joined(separator: "\n").utf8)
  }
}
