// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeySystem
internal import WebAuthnClient
internal import WebAuthnInspection

/// Confirms requests: shows the details of one, asks the user, and performs the step-up without asking again.
struct Confirmer {
  /// Whether `--yes` has given the confirmation.
  private let isGiven: Bool
  private let asJSON: Bool
  private let showsBody: Bool

  static let option = Option("--show-body", help: "show every byte of the body before the confirmation")

  init(_ arguments: ParsedArguments) {
    isGiven = arguments[DeviceChoice.yes]
    asJSON = arguments.asksForJSON
    showsBody = arguments[Self.option]
  }

  /// Shows a request, asks the user, and confirms it with a passkey. Does not send the request.
  func confirm(
    _ request: RequestArguments, wantsReceipt: Bool = false, at server: LiveServer
  ) async throws(CommandFailure) -> StepUpGrant {
    let profile = server.options.profile
    for endpoint in [EndpointName.stepUpOptions, .stepUpVerify] where profile[endpoint] == nil {
      throw .usage(
        "the profile \(profile.name.escapedForTerminal) has no \(endpoint.rawValue), so nothing can be confirmed",
        hint: "passkey help sign-in explains where profiles are documented")
    }
    if wantsReceipt, profile[.stepUpVerify]?.response?.path(of: .receipt) == nil {
      throw .usage(
        "the profile \(profile.name.escapedForTerminal) has no receipts",
        hint: "omit --receipt; Documentation/Receipts.md says what a server answers")
    }
    server.sessions.noteWrite()
    try ask(about: request, at: server)
    try server.opener.open()
    return try await server.withConsent.inSession { (handshake, session) async throws(ClientError) in
      try await handshake.stepUp(
        method: request.method, path: request.path, body: request.body, wantsReceipt: wantsReceipt, in: &session)
    }
  }

  /// Shows the request and asks for confirmation, unless an option has given it. It is confirmed exactly as shown.
  private func ask(about request: RequestArguments, at server: LiveServer) throws(CommandFailure) {
    let summary = RequestSummary(
      server: server.options.server.text, user: server.sessions.current?.user, method: request.method,
      path: request.path,
      body: request.body, contentType: request.givenContentType, showsBody: showsBody, bodyOption: Self.option.name)
    let lines = ["to be confirmed:"] + summary.lines
    let columns = TerminalWidth.columns(of: .standardError) ?? TerminalWidth.columns(of: .standardOutput)
    if isGiven {
      let isShown = FileDescriptor.standardError.isTerminal
      if !asJSON { Diagnostics.passkey.note(Self.text(lines, columns: isShown ? columns ?? 80 : nil)) }
      return
    }
    guard let terminal = Terminal() else {
      throw .refused(
        "cannot confirm \(request.method) \(request.path.escapedForTerminal): there is no terminal to ask at",
        hint: "use --yes to confirm")
    }
    terminal.write(Self.text(lines, columns: columns ?? 80) + "\n")
    guard try terminal.confirm("confirm it with a passkey?") else {
      throw .refused("nothing was confirmed", hint: "nothing was changed")
    }
  }

  private static func text(_ lines: [String], columns: Int?) -> String {
    let rows = columns.map { (columns) in lines.flatMap { FoldedLine($0, columns: columns).rows } } ?? lines
    return rows.joined(separator: "\n")
  }
}
