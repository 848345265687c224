// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// `passkey step-up METHOD PATH`
enum StepUpCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "step-up",
    summary: "confirm one act with a passkey, for a request to come",
    arguments: "[OPTION…] --server URL GET|POST|PUT|PATCH|DELETE PATH",
    discussion: [
      """
      Prints a confirmation of exactly this method, this path and these bytes. It is good once and for about a minute, and \
      whoever has it and the session can do that one act: send it with passkey request --grant-file, or in the header that \
      --json names. What is about to be confirmed is shown and asked for, unless --yes says that it is meant.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 2...2,
    options: [RequestBody.option] + ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [
      .help
    ],
    examples: [
      .init(
        command: "passkey step-up --server https://raxx.app --data @order.json POST /api/orders >grant",
        meaning: "a confirmation of this order")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let (method, path) = (arguments.positionals[0].uppercased(), arguments.positionals[1])
    let body = try RequestBody.bytes(arguments)
    try Confirmation(arguments).ask(about: ActSummary(method: method, path: path, body: body))
    server.confirmation.set(true)
    defer { server.confirmation.set(false) }
    try server.openDevice()
    let grant = try await server.inSession { (handshake, session) async throws(ClientError) in
      try await handshake.stepUp(method: method, path: path, body: body, in: &session)
    }
    guard arguments.has("--json") else { return try Output.write("\(grant.exposedText)\n") }
    var report = Report(asJSON: true)
    report.add("header", server.options.profile.stepUpHeader)
    report.add("grant", grant.exposedText)
    report.add("expires at", grant.expiry?.description)
    try report.write()
  }
}
