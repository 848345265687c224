// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// `passkey-server audit key`
enum AuditKeyCommand: Command {
  static let specification = CommandSpecification(
    name: "audit key",
    summary: "print the key that verifies the transparency log",
    arguments: "[OPTION…]",
    discussion: [
      """
      The key has the form NAME+ID+BASE64 (C2SP signed-note). Give it to everyone who verifies proofs. It must equal the \
      key of the file beside the secret, if this machine has that file.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0, options: Setting.storeOptions + [.help],
    examples: [.init(command: "passkey-server audit key >log.vkey", meaning: "save the key for passkey audit-proof")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let files = AuditLogFiles(secretPath: try ServerConfiguration(arguments).secretPath)
    let log = try Console.auditLog(arguments).log
    if let own = try files.verifier(of: log), own.text != log.verifier {
      throw .verificationFailed(
        "the database names the key \(log.verifier.escapedForTerminal), and \(files.key.path.quotedForTerminal) is "
          + "\(own.text.escapedForTerminal)",
        hint: "restore the key, or begin a new log with passkey-server audit begin --replace-key")
    }
    try Output.write("\(log.verifier)\n")
  }
}

/// `passkey-server audit checkpoint`
enum AuditCheckpointCommand: Command {
  static let specification = CommandSpecification(
    name: "audit checkpoint",
    summary: "print the newest checkpoint of the transparency log",
    arguments: "[OPTION…]",
    discussion: [
      """
      A checkpoint is a signed note with the size and the root of the log (C2SP tlog-checkpoint). Keep it outside the \
      database server, and give it to a later audit verify with --checkpoint.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0, options: Setting.storeOptions + [.help],
    examples: [
      .init(command: "passkey-server audit checkpoint >checkpoint", meaning: "save the checkpoint"),
      .init(command: "passkey-server audit verify --checkpoint checkpoint", meaning: "verify against it later"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try Output.write(Array(Console.auditLog(arguments).checkpoint.note))
  }
}

extension Console {
  /// Returns the log and its newest checkpoint.
  fileprivate static func auditLog(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> (log: AuditLog, checkpoint: StoredCheckpoint) {
    let found = try use(arguments, for: .reading) { (store, _) async throws(ServiceError) in
      try await store.service.auditLog()
    }
    guard let found else {
      throw .refused("the trail is a chain, not a log", hint: "begin a log with passkey-server audit begin")
    }
    return found
  }
}
