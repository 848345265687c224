// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem
internal import PasskeyTesting
internal import WebAuthnClient

/// `passkey browser host`
enum BrowserHostCommand: Command {
  private static let extensionID = Option<[String]>(
    "--extension-id", "ID",
    help: "an extension, packed with a key of your own, that may use the host too")

  static let specification = CommandSpecification(
    name: "browser host",
    summary: "answer the extension of a browser",
    arguments: "[OPTION…] EXTENSION",
    discussion: [
      """
      The browser runs this command, through the script that passkey browser install writes. It exchanges native \
      messages on standard input and output until the browser closes them. EXTENSION is the origin of the extension, \
      which the browser appends.
      """,
      """
      The host checks whether the page's origin may use the RP ID, as a browser does. The vault is opened for each \
      ceremony, with the key of passkey agent or with --passphrase-file, and closed afterwards.
      """,
      """
      Exit codes: 0 the browser closed the connection, 1 a message is malformed or the connection failed, 2 invalid \
      usage, 5 another extension started it.
      """,
    ],
    positionalCount: 1...1,
    options: BrowserHostOptions.options + [extensionID, .help],
    examples: [
      .init(
        command: "passkey browser host --approve always chrome-extension://\(BrowserExtension.identifier)/",
        meaning: "answer native messages and approve every request")
    ])

  struct Options: CommandArguments {
    fileprivate let host: BrowserHostOptions

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      host = try BrowserHostOptions(arguments)
      let allowed = [BrowserExtension.identifier] + arguments[extensionID]
      let origin = arguments.positionals.first ?? ""
      guard allowed.contains(where: { (identifier) in BrowserExtension.origin(of: identifier) == origin }) else {
        throw .refused(
          "the extension \(origin.quotedForTerminal) may not use the host",
          hint: "install it with --extension-id if you packed it yourself")
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    // No terminal: a question there would be seen by no one, or by the user of another program.
    setsid()
    // A closed pipe is reported by the failing write.
    signal(SIGPIPE, SIG_IGN)
    let host = options.host
    let connection = try mapError(
      BrowserConnection(input: .standardInput, output: .standardOutput), CommandFailure.init(browser:))
    let window = WindowApproval { (reply) in connection.send(reply) }
    let interaction = BrowserInteraction(
      try source(host.approval, window), userName: host.userName, knownPIN: host.knownPIN)
    let settings = BrowserHost.Settings(
      approval: host.approval.name, fault: host.fault?.rawValue, isPlatformVerifier: host.isPlatformVerifier,
      relatedOrigins: HTTPRelatedOrigins(), random: host.random)
    let answering = BrowserHost(settings, interaction: interaction, window: window) { (reply) in
      connection.send(reply)
    } makeDevice: { [device = host.device, fault = host.fault] in
      VaultBrowserDevice(device, asking: interaction, fault: fault)
    }
    try Blocking.wait { () async throws(CommandFailure) in
      try await mapError(async: await connection.serve(answering), CommandFailure.init(browser:))
    }
  }

  private static func source(
    _ approval: BrowserHostOptions.Approval, _ window: WindowApproval
  ) throws(CommandFailure) -> any ApprovalSource {
    try mapError(CommandFailure.init(browser:)) { () throws(BrowserError) -> any ApprovalSource in
      switch approval {
      case .window: window
      case .terminal: try TerminalApproval(path: ApprovalSocket.path, otherwise: window)
      case .always: AutomaticApproval.always
      case .never: AutomaticApproval.never
      case .gestures(let path): try GestureFile(path: path)
      }
    }
  }
}
