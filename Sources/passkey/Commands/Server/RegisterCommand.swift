// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// `passkey register`
enum RegisterCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "register",
    summary: "make an account with a passkey, at a server",
    arguments: "[OPTION…] --server URL --user EMAIL",
    discussion: [
      """
      Does the whole ceremony: the server's options, a new passkey in the vault, which is made where there is none, and the \
      server's verdict. Where the server opens a session it is kept, as sign-in keeps one, in the place of the same user's \
      last one, which is ended.
      """,
      """
      A passkey that the server refuses is deleted again, and one in whose place it was comes back. Where it is not known \
      what the server did, it stays.
      """,
      TerminalClientInteraction.ownersYes,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(name: "--display-name", value: .init(name: "NAME"), help: "what people call the user"),
      OptionSpecification(
        name: "--code-file", value: .init(name: "FILE|-"),
        help: "an invitation or a recovery code is this file's first line"),
    ] + ServerOptions.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(
        command: "passkey register --server https://raxx.app --user ada@raxx.app",
        meaning: "a new account, and its passkey"),
      .init(
        command: "passkey register --server https://raxx.app --user ada@raxx.app --code-file code",
        meaning: "where one has to be invited"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    guard let user = arguments["--user"] ?? server.options.user else {
      throw .usage("register needs to know for whom", hint: "name them with --user EMAIL")
    }
    let code = try code(arguments)
    try server.requireStore()
    try server.openDevice(makesVault: true)
    let registered = try await server.told(of: .registration) { () async throws(ClientError) in
      do throws(ClientError) {
        return try await server.handshake.register(user: user, displayName: arguments["--display-name"], code: code)
      } catch {
        if let note = server.device.opened?.undoMaking(after: error) { Diagnostics.passkey.note(note) }
        throw error
      }
    }
    // The account exists even if its session cannot be stored.
    var unkept: CommandFailure?
    do throws(CommandFailure) {
      if let session = registered.session { try await server.begin(session) }
    } catch {
      unkept = error
    }
    var report = Report(asJSON: arguments.has("--json"))
    report.add("account", registered.account)
    report.add("passkey", registered.credential.description)
    report.add("session", until: registered.session?.expiry, where: registered.session != nil && unkept == nil)
    if registered.isPending { report.add("pending", flag: "an administrator has to approve the account first") }
    try report.write()
    if let unkept { throw unkept }
  }

  private static func code(_ arguments: ParsedArguments) throws(CommandFailure) -> String? {
    guard let path = arguments["--code-file"] else { return nil }
    let text = String(decoding: try InputFile.bytes(path, limit: 4096), as: UTF8.self)
    let code = text.split(separator: "\n").first.map { String($0.filter { !$0.isWhitespace }) } ?? ""
    guard !code.isEmpty else {
      let name = path == "-" ? "standard input" : path.quotedForTerminal
      throw .inputOutput("there is no code in \(name)", hint: "its first line is to be the code")
    }
    return code
  }
}
