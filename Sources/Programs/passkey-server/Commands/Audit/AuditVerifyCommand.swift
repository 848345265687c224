// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// `passkey-server audit verify`
enum AuditVerifyCommand: Command {
  private static let endOption = Option(
    "--end", "NUMBER:HASH",
    help: "fail unless the chain contains this end, printed by an earlier run")
  private static let log = Option(
    "--log", "FILE",
    help: "fail unless the trail contains the newest end or checkpoint in this audit log")
  private static let checkpointFile = Option(
    "--checkpoint", "FILE",
    help: "fail unless the log extends this checkpoint, printed by an earlier run")
  private static let policyFile = Option(
    "--policy", "FILE",
    help: "verify cosignatures by this policy in the form of C2SP tlog-policy; it names the log, or none")
  private static let noSeal = Option(
    "--no-seal",
    help: "skip the seal and the checkpoint beside the secret, for an older copy or one without the secret")

  static let specification = CommandSpecification(
    name: "audit verify",
    summary: "verify the audit trail",
    arguments: "[OPTION…]",
    discussion: [
      """
      Verifies each record, and writes nothing to a SQLite database. Recomputes the transparency log from its records, and \
      compares its tiles and all stored checkpoints. Fails if the log does not contain the last checkpoint that this \
      server kept beside the secret (SECRET.audit-checkpoint): the database is then an older copy. --checkpoint and --log \
      compare with another checkpoint instead.
      """,
      """
      Prints the newest checkpoint. Save it on another machine, where an attacker who replaces the database and the files \
      beside it cannot change it, and pass it to a later verification with --checkpoint.
      """,
      """
      If the trail is or began as a chain, also verifies the chain and the seal of its end, which needs the secret. \
      Without a log, prints the end of the chain as NUMBER:HASH in place of a checkpoint, for --end.
      """,
      """
      With --policy, verifies the cosignatures of witnesses on all kept checkpoints, and fails unless one has those that \
      the policy requires.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [endOption, log, checkpointFile, policyFile, noSeal, .json, .help],
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
    let checksSeal = !arguments[noSeal]
    let policy = try arguments[policyFile].map(policy)
    let (known, checkpoint) = try known(arguments)
    let files = AuditLogFiles(secretPath: try ServerConfiguration(arguments).secretPath)
    let (trail, ownKey) = try Console.open(arguments, for: .verifying(withSecret: checksSeal)) {
      (store) async throws(CommandFailure) in
      let log = try await mapError(async: await store.service.auditLog()?.log, CommandFailure.init)
      let key = try log.flatMap { (log) throws(CommandFailure) in try files.verifier(of: log) }
      let kept = checksSeal && checkpoint == nil ? try files.checkpoint(of: log) : nil
      let trail = try await mapError(
        async: await store.service.verifyAuditTrail(
          knownHead: known, knownCheckpoint: checkpoint ?? kept, key: key, policy: policy), CommandFailure.init)
      if checksSeal { try mapError(store.service.verifyAuditEnd(trail.chain), CommandFailure.init) }
      return (trail, key)
    }
    let head = trail.chain.head
    guard !arguments.asksForJSON else {
      return try Output.writeObject { (object) in
        head.write(to: &object)
        object.write("sealed", .bool(checksSeal))
        if let checkpoint = trail.checkpoint {
          checkpoint.write(to: &object, waitingCount: trail.waitingCount)
          object.write("keyChecked", .bool(ownKey != nil))
        }
        trail.cosigned?.writeCosignatures(to: &object)
        if let contradiction = trail.contradiction { object.write("contradiction", contradiction) }
      }
    }
    // A store that began with a log has no chain.
    if head != .beginning || trail.checkpoint == nil {
      let seal = checksSeal ? ", sealed with the secret" : "; the seal was not checked"
      Diagnostics.server.note("\(head.sequence) records form an unbroken chain\(seal)")
    }
    guard let newest = trail.checkpoint else { return try Output.write("\(head.pair)\n") }
    let log = newest.checkpoint
    Diagnostics.server.note(
      """
      \(log.size == 1 ? "1 record is" : "\(log.size) records are") in the log \(log.origin.escapedForTerminal)\
      \(ownKey == nil ? "; its key was not checked" : "")
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

  /// Returns the head that the chain must contain and the checkpoint that the log must extend, from the command line or
  /// from a log.
  private static func known(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> (head: AuditHead?, checkpoint: SignedNote?) {
    guard let path = arguments[log] else {
      return (try arguments[endOption].map(end), try arguments[checkpointFile].map(checkpoint))
    }
    guard !arguments.has(endOption) else {
      throw .usage("--end and --log cannot be combined", hint: "omit one of the two")
    }
    guard !arguments.has(checkpointFile) else {
      throw .usage("--log and --checkpoint cannot be combined", hint: "omit one of the two")
    }
    return try newest(inLog: path)
  }

  private static func policy(_ path: String) throws(CommandFailure) -> LogPolicy {
    let file = try InputFile.bytes(path, limit: LogPolicy.maximumByteCount)
    return try mapError(LogPolicy(parsing: file[...])) { (error: TransparencyLogError) in
      CommandFailure.inputOutput("\(InputFile.name(path)) is not a policy: \(error.detail.escapedForTerminal)")
    }
  }

  /// Returns the newest end and the newest checkpoint in an audit log.
  private static func newest(inLog path: String) throws(CommandFailure) -> (AuditHead?, SignedNote?) {
    let lines = try InputFile.bytes(path, limit: maximumLogByteCount).split(separator: UInt8(ascii: "\n"))
    let head = lines.compactMap { AuditJSON.head(in: $0) }.max { $0.sequence < $1.sequence }
    let checkpoint = lines.reversed().lazy.compactMap { AuditJSON.checkpoint(in: $0) }.first
    guard head != nil || checkpoint != nil else {
      throw .inputOutput(
        "\(path.quotedForTerminal) contains no end of the trail", hint: "--log takes a file written by --audit-log")
    }
    return (head, checkpoint)
  }

  private static func checkpoint(_ path: String) throws(CommandFailure) -> SignedNote {
    let bytes = try InputFile.bytes(path, limit: SignedNote.maximumByteCount)
    return try mapError(SignedNote(parsing: bytes[...])) { (error: TransparencyLogError) in
      CommandFailure.inputOutput("\(InputFile.name(path)) is not a checkpoint: \(error.detail.escapedForTerminal)")
    }
  }

  // 1 GiB [some millions of records; a rotated log is smaller]
  private static let maximumLogByteCount = 1 << 30

  private static func end(_ text: String) throws(CommandFailure) -> AuditHead {
    guard let head = AuditHead(pair: text) else {
      throw .usage("--end cannot be \(text.quotedForTerminal)", hint: "use NUMBER:HASH as printed by audit verify")
    }
    return head
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

extension AuditHead {
  /// Writes the members of a JSON object.
  func write(to object: inout JSONObjectWriter) {
    object.write("number", .integer(sequence))
    object.write("hash", .string(Hex.encode(hash)))
  }
}
