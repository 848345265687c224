// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient
internal import WebAuthnTypes

/// `passkey register`
enum RegisterCommand: ServerCommand {
  private static let email = Option(
    "--email", "EMAIL",
    help: "the user's email address, at a server that requires it beside a user name")
  private static let displayName = Option("--display-name", "NAME", help: "the user's display name")
  private static let codeFile = Option(
    "--code-file", "FILE|-",
    help: "read an invitation or recovery code from this file's first line")

  static let specification = CommandSpecification(
    name: "register",
    summary: "create an account with a passkey at a server",
    arguments: "[OPTION…] --server URL --user EMAIL",
    discussion: [
      """
      Runs the whole ceremony: fetches the options, creates a passkey in the vault (and the vault if it is missing), \
      and posts the response. If the server opens a session, the session is stored as with sign-in. The user's \
      previous session is ended.
      """,
      """
      If the server refuses the passkey, it is deleted again, and a passkey that it replaced is restored. If the \
      outcome is unknown, the passkey stays.
      """,
      """
      If the server verifies the address, asks for the code from its mail, and the account exists after that. Without a \
      terminal, --code-command gets the code, or passkey email verify --code CODE finishes later; the exit code is 5 until \
      then. A server may answer alike for an address that has an account already: then the mail has no code. A passkey whose \
      code is never entered cannot sign in and stays: delete it with passkey keys delete.
      """,
      MailCodeSource.explanation,
      TerminalClientInteraction.ownersYes,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [email, displayName, codeFile, MailCodeSource.codeOption, MailCodeSource.commandOption]
      + ServerOptions.optionList(describingUser: "the new account's address ($PASSKEY_USER)") + DeviceChoice.options
      + TerminalClientInteraction.options + [.json, .help],
    rareOptions: ServerOptions.rareOptions + [email, displayName, MailCodeSource.commandOption],
    examples: [
      .init(
        command: "passkey register --server https://raxx.app --user ada@raxx.app",
        meaning: "create an account and its passkey"),
      .init(
        command: "passkey register --server https://raxx.app --user ada@raxx.app --code-file code",
        meaning: "create an account with an invitation"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let (email, asJSON) = (arguments[Self.email], arguments.asksForJSON)
    let source = try MailCodeSource(arguments)
    let code = try invitation(arguments, source)
    guard let user = server.options.user else {
      throw .usage("register needs a user", hint: "name the user with --user EMAIL")
    }
    let names = server.options.profile.identifiers
    if names.username == .required, names.email == .required, email == nil {
      throw .usage(
        "the server requires an email address beside the user name", hint: "name it with --email EMAIL")
    }
    if case .email? = source.code {
      guard let waiting = server.waitingVerification else {
        throw .usage(
          "no registration of \(user.escapedForTerminal) waits for the code of a mail", hint: "register without --code")
      }
      return try await EmailVerifyCommand.finish(
        waiting, .signUp, source, asJSON: asJSON, at: server)
    }
    try await server.withSessions { (sessions) throws(SessionError) in try sessions.requireStore() }
    try server.opener.prepare(creatingVault: true)
    let registered = try await server.perform(.registration) { () async throws(ClientError) in
      do throws(ClientError) {
        return try await server.handshake.register(
          user: user, email: email, displayName: arguments[displayName], code: code)
      } catch {
        if let note = server.device.undoRegistration(after: error) { Diagnostics.passkey.note(note) }
        throw error
      }
    }
    if let verification = registered.verification {
      if !asJSON {
        Diagnostics.passkey.note("the server has sent a mail to \((email ?? user).escapedForTerminal)")
      }
      return try await EmailVerifyCommand.finish(
        verification, .signUp, source, passkey: registered.credential.description, asJSON: asJSON,
        at: server)
    }
    // The account exists even if its session cannot be stored.
    var unkept: CommandFailure?
    do throws(CommandFailure) {
      if let session = registered.session {
        try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.begin(session) }
      }
    } catch {
      unkept = error
    }
    var report = Report(asJSON: asJSON)
    report.add("account", registered.account)
    report.add("passkey", registered.credential.description, as: "credentialId")
    report.add("session", until: registered.session?.expiry, where: registered.session != nil && unkept == nil)
    if registered.isPending { report.add("pending", flag: "an administrator must approve the account first") }
    try report.write()
    if let unkept { throw unkept }
  }

  /// Returns the invitation or recovery code; `nil` if none was given.
  private static func invitation(
    _ arguments: ParsedArguments, _ source: MailCodeSource
  ) throws(CommandFailure) -> String? {
    let code = try arguments[codeFile].map(Self.code(in:))
    if code != nil, source.code != nil {
      throw .usage("--code and --code-file cannot be combined", hint: "use only one of them")
    }
    return if case .oneTime(let text)? = source.code { text } else { code }
  }

  private static func code(in path: String) throws(CommandFailure) -> String {
    let text = String(decoding: try InputFile.bytes(path, limit: 4096), as: UTF8.self)
    let code = text.split(separator: "\n").first.map { String($0.filter { !$0.isWhitespace }) } ?? ""
    guard !code.isEmpty else {
      let name = InputFile.name(path)
      throw .inputOutput("\(name) contains no code", hint: "write the code on its first line")
    }
    return code
  }
}
