// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// `passkey-server audit verify`
enum AuditVerifyCommand: Command {
  private static let log = Option(
    "--log", "FILE",
    help: "fail unless the log extends the newest checkpoint in this audit log")
  private static let checkpointFile = Option(
    "--checkpoint", "FILE",
    help: "fail unless the log extends this checkpoint, printed by an earlier run")
  private static let policyFile = Option(
    "--policy", "FILE",
    help: "verify cosignatures by this policy in the form of C2SP tlog-policy; it names the log, or none")
  private static let copy = Option(
    "--copy", help: "do not compare with the secret and the checkpoint beside it, for a backup")

  static let specification = CommandSpecification(
    name: "audit verify",
    summary: "verify the audit trail",
    arguments: "[OPTION…]",
    discussion: [
      """
      Verifies each record, and writes nothing to a SQLite database. Recomputes the transparency log from its records, and \
      compares its tiles and all stored checkpoints. Fails if the log has another key than that of the secret, or does not \
      extend the last checkpoint that this server kept beside the secret (SECRET.audit-checkpoint): the database is then an \
      older copy. --checkpoint and --log compare with another checkpoint instead.
      """,
      """
      Prints the newest checkpoint. Save it on another machine, where an attacker who replaces the database and the files \
      beside it cannot change it, and pass it to a later verification with --checkpoint.
      """,
      """
      With --policy, verifies the cosignatures of witnesses on all kept checkpoints, and fails unless one has those that \
      the policy requires.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [log, checkpointFile, policyFile, copy, .json, .help],
    examples: [
      .init(
        command: "passkey-server audit verify >checkpoint", meaning: "save the checkpoint outside the database server"),
      .init(
        command: "passkey-server audit verify --checkpoint checkpoint", meaning: "verify against the saved checkpoint"),
      .init(
        command: "passkey-server audit verify --log /var/log/passkey-server/audit.log",
        meaning: "compare with the checkpoints that the server logged"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let isCopy = arguments[copy]
    let policy = try arguments[policyFile].map(policy)
    let checkpoint = try knownCheckpoint(arguments)
    let file = AuditCheckpointFile(secretPath: try ServerConfiguration(arguments).secretPath)
    let trail = try Console.open(arguments, for: .reading(withSecret: !isCopy)) {
      (store) async throws(CommandFailure) in
      let log = try await mapError(async: await store.service.auditLog()?.log, CommandFailure.init)
      var key: NoteKey?
      var kept: SignedNote?
      if !isCopy {
        // The key follows from the relying party too.
        do throws(ServiceError) {
          try await store.service.compareStore()
        } catch {
          if error.code == .storePartyDiffers { throw CommandFailure(error) }
        }
        key = try mapError(log.map(store.service.verifier(of:)), CommandFailure.init)
        if checkpoint == nil { kept = try file.checkpoint(of: log) }
      }
      return try await mapError(
        async: await store.service.verifyAuditTrail(knownCheckpoint: checkpoint ?? kept, key: key, policy: policy),
        CommandFailure.init)
    }
    guard let newest = trail.checkpoint else {
      let code = ServiceError.Code.auditLogMismatch.rawValue
      throw CommandFailure.verificationFailed(
        "the audit trail is invalid: \(code): the database has no log",
        hint: "restore a backup; for a database that never had one, run passkey-server audit begin"
      ).coded(code)
    }
    guard !arguments.asksForJSON else {
      return try Output.writeObject { (object) in
        newest.write(to: &object, waitingCount: trail.waitingCount)
        object.write("keyChecked", .bool(!isCopy))
        trail.cosigned?.writeCosignatures(to: &object)
        if let contradiction = trail.contradiction { object.write("contradiction", contradiction) }
      }
    }
    let log = newest.checkpoint
    Diagnostics.server.note(
      """
      \(log.size == 1 ? "1 record is" : "\(log.size) records are") in the log \(log.origin.escapedForTerminal)\
      \(isCopy ? "; its key was not checked" : "")
      """)
    if trail.waitingCount > 0 { Diagnostics.server.note("records that wait for their places: \(trail.waitingCount)") }
    if let cosigned = trail.cosigned {
      let names = cosigned.cosigned.map(\.key.name.escapedForTerminal).joined(separator: ", ")
      Diagnostics.server.note(
        "\(cosigned.checkpoint.size) records are in a checkpoint that meets the policy\(names.isEmpty ? "" : ": \(names)")"
      )
    }
    if let contradiction = trail.contradiction {
      Diagnostics.server.note("warning: \(contradiction.escapedForTerminal); the log does not grow")
    }
    try Output.write(newest.note.bytes)
  }

  /// Returns the checkpoint that the log must extend, from the command line or from an audit log.
  private static func knownCheckpoint(_ arguments: ParsedArguments) throws(CommandFailure) -> SignedNote? {
    guard let path = arguments[log] else { return try arguments[checkpointFile].map(SignedNote.init(inFile:)) }
    guard !arguments.has(checkpointFile) else {
      throw .usage("--log and --checkpoint cannot be combined", hint: "omit one of the two")
    }
    return try newest(inLog: path)
  }

  private static func policy(_ path: String) throws(CommandFailure) -> LogPolicy {
    let file = try InputFile.bytes(path, limit: LogPolicy.maximumByteCount)
    return try mapError(LogPolicy(parsing: file)) { (error: TransparencyLogError) in
      CommandFailure.inputOutput("\(InputFile.name(path)) is not a policy: \(error.detail.escapedForTerminal)")
    }
  }

  /// Returns the newest checkpoint in an audit log.
  private static func newest(inLog path: String) throws(CommandFailure) -> SignedNote {
    let lines = try InputFile.bytes(path, limit: maximumLogByteCount).split(separator: UInt8(ascii: "\n"))
    guard let checkpoint = lines.reversed().lazy.compactMap({ AuditJSON.checkpoint(in: $0) }).first else {
      throw .inputOutput(
        "\(path.quotedForTerminal) contains no checkpoint", hint: "--log takes a file written by --audit-log")
    }
    return checkpoint
  }

  // 1 GiB [some millions of records; a rotated log is smaller]
  private static let maximumLogByteCount = 1 << 30
}

extension SignedNote {
  /// Reads a checkpoint from a file.
  init(inFile path: String) throws(CommandFailure) {
    let bytes = try InputFile.bytes(path, limit: Self.maximumByteCount)
    self = try mapError(SignedNote(parsing: bytes)) { (error: TransparencyLogError) in
      CommandFailure.inputOutput("\(InputFile.name(path)) is not a checkpoint: \(error.detail.escapedForTerminal)")
    }
  }
}

extension VerifiedCheckpoint {
  /// Writes the members of a JSON object.
  fileprivate func write(to object: inout JSONObjectWriter, waitingCount: Int) {
    object.write("origin", checkpoint.origin)
    object.write("size", .integer(Int64(clamping: checkpoint.size)))
    object.write("root", checkpoint.root.description)
    object.write("waiting", .integer(Int64(waitingCount)))
  }
}

extension VerifiedCheckpoint {
  /// Writes the member about the newest checkpoint that meets the policy.
  fileprivate func writeCosignatures(to object: inout JSONObjectWriter) {
    object.writeObject("cosigned") { (object: inout JSONObjectWriter) in
      object.write("size", .integer(Int64(clamping: checkpoint.size)))
      object.writeArray("cosignatures") { (list: inout JSONArrayWriter) in
        for signed in cosigned {
          list.writeObject { (signature: inout JSONObjectWriter) in
            signature.write("witness", signed.key.name)
            signature.write("time", .time(signed.time))
          }
        }
      }
    }
  }
}
