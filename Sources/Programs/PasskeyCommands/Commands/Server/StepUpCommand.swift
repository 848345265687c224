// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnClient

/// `passkey step-up METHOD PATH`
enum StepUpCommand: ServerCommand {
  private static let receipt = Option(
    "--receipt", "FILE", help: "also write a receipt, which others verify offline")

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
      """
      --receipt asks the server for a receipt, which takes up to some seconds. The server keeps none: only this command \
      can write it. passkey receipt verify reads it.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: RequestArguments.positionalCount,
    options: [RequestArguments.bodyOption, Confirmer.option, receipt] + ServerOptions.options + DeviceChoice.options
      + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey step-up --server https://raxx.app --data @order.json POST /api/orders >grant",
        meaning: "confirm this order"),
      .init(
        command: "passkey step-up --server https://raxx.app --receipt deploy.receipt POST /deployments/4f2a91c",
        meaning: "confirm a deployment, and keep a receipt of it"),
    ],
    literals: RequestArguments.methods)

  static func perform(_ request: RequestArguments, at server: LiveServer) async throws(CommandFailure) {
    // Fail before asking the user for a confirmation that is impossible without a session.
    _ = try await server.session()
    let path = request.arguments[receipt]
    if let path { try OutputFile.demandNew(path) }
    let grant = try await Confirmer(request.arguments).confirm(request, wantsReceipt: path != nil, at: server)
    if let path { try OutputFile.write(verified(grant.receipt, for: request), to: path) }
    guard request.arguments.asksForJSON else { return try Output.write("\(grant.exposedText)\n") }
    var report = Report(asJSON: true)
    report.add("header", server.options.profile.headers.stepUp)
    report.add("grant", grant.exposedText)
    report.add("expires at", grant.expiry?.description)
    try report.write()
  }

  /// Returns the receipt of a confirmation, if the passkey signed this action. Which log to trust, the verifier decides.
  private static func verified(
    _ file: [UInt8]?, for request: RequestArguments
  ) throws(CommandFailure) -> [UInt8] {
    guard let file else {
      throw .refusedByServer(
        "the server confirmed the action, and gave no receipt",
        hint: "its audit log may be stopped or slow; the confirmation was not used, and expires")
    }
    let action = ProtectedAction(method: request.method, path: request.path, body: request.body)
    do throws(ReceiptError) {
      let receipt = try ActionReceipt(parsing: file)
      _ = try receipt.verifyAssertion()
      guard receipt.action == action else { throw ReceiptError(.actionMismatch, "\(receipt.action)") }
    } catch {
      throw .verificationFailed("the server gave an invalid receipt: \("\(error)".escapedForTerminal)")
        .coded(error.code.rawValue)
    }
    return file
  }
}
