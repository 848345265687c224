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
      The key has the form NAME+ID+BASE64 (C2SP signed-note). Give it to everyone who verifies proofs. The private key is \
      derived from the secret. If this machine has the secret, the printed key must be its public key.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0, options: Setting.storeOptions + [.help],
    examples: [.init(command: "passkey-server audit key >log.vkey", meaning: "save the key for passkey audit-proof")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let hasSecret = try SecretFile(path: ServerConfiguration(arguments).secretPath).read() != nil
    let (stored, own) = try Console.auditLog(arguments, withSecret: hasSecret) { (service, log) throws(ServiceError) in
      (log.log.verifier, hasSecret ? try service.verifier(of: log.log).text : nil)
    }
    if let own, own != stored {
      throw .verificationFailed(
        "the database names the key \(stored.escapedForTerminal), and the secret has \(own.escapedForTerminal)",
        hint: "records were changed, or \(Setting.secret.option) names a different secret")
    }
    try Output.write("\(stored)\n")
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
    let note = try Console.auditLog(arguments) { (_, log) in Array(log.checkpoint.note) }
    try Output.write(note)
  }
}

extension Console {
  /// The newest log and its newest checkpoint.
  fileprivate typealias StoredLog = (log: AuditLog, checkpoint: StoredCheckpoint)

  /// Calls a body with the service and the log of the store.
  fileprivate static func auditLog<Value: Sendable>(
    _ arguments: ParsedArguments, withSecret: Bool = false,
    _ body: @escaping @Sendable (AuthService, StoredLog) throws(ServiceError) -> Value
  ) throws(CommandFailure) -> Value {
    let value = try use(arguments, for: .reading(withSecret: withSecret)) {
      (store, _) async throws(ServiceError) -> Value? in
      try await store.service.auditLog().map { (log) throws(ServiceError) in try body(store.service, log) }
    }
    guard let value else {
      throw .refused("the database has no transparency log", hint: "begin one with passkey-server audit begin")
    }
    return value
  }
}
