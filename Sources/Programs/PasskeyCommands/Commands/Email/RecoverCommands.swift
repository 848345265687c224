// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient

/// `passkey recover request`
enum RecoverRequestCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "recover request",
    summary: "ask for a recovery code by mail",
    arguments: "[OPTION…] --server URL --user EMAIL",
    discussion: [
      """
      The server sends a code to the address if an account has it, and answers alike if none has. The mail says from when \
      the code is valid. Then register a new passkey with it: passkey register --code CODE.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.optionList(describingUser: "the address of the account ($PASSKEY_USER)")
      + VaultLocation.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey recover request --server https://raxx.app --user ada@raxx.app",
        meaning: "recover an account whose passkeys are lost")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    guard let user = server.options.user else {
      throw .usage("recover request needs an address", hint: "name it with --user EMAIL")
    }
    try await server.perform(.mail) { () async throws(ClientError) in
      try await server.handshake.requestRecovery(of: user)
    }
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("requested", user, as: "user")
    try report.write()
    if !arguments.asksForJSON {
      Diagnostics.passkey.note("if an account has this address, a mail says from when its code is valid")
    }
  }
}

/// `passkey recover cancel`
enum RecoverCancelCommand: ServerCommand {
  private static let code = Option("--code", "CODE", help: "the code from the mail with which a recovery is cancelled")

  static let specification = CommandSpecification(
    name: "recover cancel",
    summary: "cancel a recovery that you did not ask for",
    arguments: "[OPTION…] --server URL",
    discussion: [
      "Needs the session of the account, or the code for this purpose from the mail about the recovery.",
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [code] + ServerOptions.options + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options + [
      .json, .help,
    ],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(command: "passkey recover cancel --server https://raxx.app", meaning: "cancel the recovery of your account")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    if let code = arguments[Self.code] {
      try await server.perform(.mail) { () async throws(ClientError) in
        try await server.handshake.cancelRecovery(code: code)
      }
    } else {
      try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
        try await handshake.cancelRecovery(in: &session)
      }
    }
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("recovery", flag: "cancelled", as: "cancelled")
    try report.write()
  }
}
