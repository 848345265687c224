// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

/// `passkey step-up METHOD PATH`
enum StepUpCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "step-up",
    summary: "confirm one action with a passkey, for a later request",
    arguments: "[OPTION…] --server URL \(RequestArguments.placeholder)",
    discussion: [
      """
      Prints a confirmation for exactly this method, path and body. It can be used once, within about a minute, \
      together with the session, and allows this action only: send it with passkey request --grant-file, or in the \
      header that --json names. Shows the action and asks, unless --yes is given.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: RequestArguments.positionalCount,
    options: [RequestArguments.bodyOption, Confirmer.option] + ServerOptions.options + DeviceChoice.options
      + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey step-up --server https://raxx.app --data @order.json POST /api/orders >grant",
        meaning: "confirm this order")
    ],
    literals: RequestArguments.methods)

  static func perform(_ request: RequestArguments, at server: LiveServer) async throws(CommandFailure) {
    // Fail before asking the user for a confirmation that is impossible without a session.
    _ = try await server.session()
    let grant = try await Confirmer(request.arguments).confirm(request, at: server)
    guard request.arguments.asksForJSON else { return try Output.write("\(grant.exposedText)\n") }
    var report = Report(asJSON: true)
    report.add("header", server.options.profile.headers.stepUp)
    report.add("grant", grant.exposedText)
    report.add("expires at", grant.expiry?.description)
    try report.write()
  }
}
