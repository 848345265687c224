// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnClient

/// `passkey passkeys rename ID NAME`
enum PasskeysRenameCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "passkeys rename",
    summary: "rename one of your account's passkeys at a server",
    arguments: "[OPTION…] --server URL ID NAME",
    discussion: [
      """
      ID is the beginning of a passkey's id, as passkey passkeys list shows it. The vault keeps its own name, which passkey \
      keys rename changes.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 2...2,
    options: ServerOptions.options + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options + [
      .json, .help,
    ],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey passkeys rename --server https://raxx.app Zk3q 'old phone'",
        meaning: "rename the passkey whose id begins with Zk3q")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let name = arguments.positionals[1]
    let passkey = try await server.passkey(arguments.positionals[0])
    try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.renameCredential(passkey.id, to: name, in: &session)
    }
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("renamed", passkey.id, as: "id")
    try report.write()
  }
}

extension LiveServer {
  /// Returns the account's passkey whose ID begins with a text.
  func passkey(_ beginning: String) async throws(CommandFailure) -> CredentialEntry {
    // An empty text is the beginning of every ID.
    guard !beginning.isEmpty else {
      throw .usage("the id is empty", hint: "give the beginning of an id, as passkey passkeys list shows it")
    }
    let passkeys = try await inSession { (handshake, session) async throws(ClientError) in
      try await handshake.credentials(in: &session)
    }
    let found = passkeys.filter { $0.id.hasPrefix(beginning) }
    guard let passkey = found.first, found.count == 1 else {
      throw .refused(
        found.isEmpty
          ? "no passkey's id begins with \(beginning.quotedForTerminal)"
          : "\(found.count) passkey ids begin with \(beginning.quotedForTerminal)",
        hint: "list them with passkey passkeys list")
    }
    return passkey
  }
}
