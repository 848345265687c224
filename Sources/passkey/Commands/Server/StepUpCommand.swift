// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// `passkey step-up METHOD PATH`
enum StepUpCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "step-up",
    summary: "confirm one act with a passkey, for a request to come",
    arguments: "[OPTION…] --server URL \(Act.drawing)",
    discussion: [
      """
      Prints a confirmation of exactly this method, this path and these bytes. It is good once and for about a minute, and \
      whoever has it and the session can do that one act: send it with passkey request --grant-file, or in the header that \
      --json names. What is about to be confirmed is shown and asked for, unless --yes says that it is meant.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 2...2,
    options: [RequestBody.option, Confirmation.option] + ServerOptions.options + DeviceSource.options
      + TerminalClientInteraction.options + [.help],
    examples: [
      .init(
        command: "passkey step-up --server https://raxx.app --data @order.json POST /api/orders >grant",
        meaning: "a confirmation of this order")
    ],
    literals: Act.methods)

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let act = try Act(arguments)
    // Fail before asking the user for a confirmation that is impossible without a session.
    _ = try await server.session()
    let grant = try await server.confirm(act, arguments)
    guard arguments.has("--json") else { return try Output.write("\(grant.exposedText)\n") }
    var report = Report(asJSON: true)
    report.add("header", server.options.profile.stepUpHeader)
    report.add("grant", grant.exposedText)
    report.add("expires at", grant.expiry?.description)
    try report.write()
  }
}
