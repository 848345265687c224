// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

/// `passkey email verify`
enum EmailVerifyCommand: ServerCommand {
  private static let resend = Option("--resend", help: "have the code sent again first")

  static let specification = CommandSpecification(
    name: "email verify",
    summary: "verify your email address with the code from a mail",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Finishes what passkey register, a refused sign-in or passkey email change began. If nothing waits, has the server \
      send a code to the address of the signed-in account. Asks for the code, unless an option gives it.
      """,
      MailCodeSource.explanation,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [MailCodeSource.codeOption, MailCodeSource.commandOption, resend] + ServerOptions.options
      + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions + [MailCodeSource.commandOption],
    examples: [
      .init(
        command: "passkey email verify --server https://raxx.app --code K7QF-M2XW",
        meaning: "finish a registration with the code from the mail")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let source = try MailCodeSource(arguments)
    if let waiting = server.waitingVerification {
      let verification = arguments[resend] ? try await server.resend(waiting) : waiting
      return try await finish(verification, .signUp, source, asJSON: arguments.asksForJSON, at: server)
    }
    let begun = try await server.inSession { (handshake, session) async throws(ClientError) in
      try await handshake.beginVerification(in: &session)
    }
    try await finish(begun, .verification, source, asJSON: arguments.asksForJSON, at: server)
  }

  /// Finishes a verification, stores the session that it opens, and prints the account.
  static func finish(
    _ verification: AddressVerification, _ purpose: MailPurpose, _ source: MailCodeSource, passkey: String? = nil,
    asJSON: Bool, at server: LiveServer
  ) async throws(CommandFailure) {
    if purpose == .signUp {
      try await server.withSessions { (sessions) throws(SessionError) in try sessions.requireStore() }
    }
    let verified = try await server.finish(verification, purpose, source)
    // The account exists even if its session cannot be stored.
    var unkept: CommandFailure?
    do throws(CommandFailure) {
      if let session = verified.session {
        try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.begin(session) }
      }
    } catch {
      unkept = error
    }
    var report = Report(asJSON: asJSON)
    report.add("account", verified.account)
    report.add("passkey", passkey, as: "credentialId")
    report.add("email", flag: "verified", as: "emailVerified")
    report.add("session", until: verified.session?.expiry, where: verified.session != nil && unkept == nil)
    if verified.isPending { report.add("pending", flag: "an administrator must approve the account first") }
    try report.write()
    if let unkept { throw unkept }
  }
}
