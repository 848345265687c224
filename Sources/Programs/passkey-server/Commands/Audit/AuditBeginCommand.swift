// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog
internal import WebAuthnRelyingParty

/// `passkey-server audit begin`
enum AuditBeginCommand: Command {
  private static let afterRestore = Option("--after-restore", help: "begin a new log after an older copy was restored")
  private static let checkpointFile = Option(
    "--checkpoint", "FILE", help: "the last checkpoint of the lost log, in place of the one that this machine has kept")

  static let specification = CommandSpecification(
    name: "audit begin",
    summary: "begin a new transparency log after a restore",
    arguments: "[OPTION…]",
    discussion: [
      """
      A new database has a log from its beginning. With --after-restore, begins the next one after an older copy of the \
      database was restored. If the copy lacks records of the log that this machine saw last, the first record contains the \
      last checkpoint of it. Ceremonies that have begun must begin again. An embedding server keeps no checkpoint: give one \
      with --checkpoint.
      """,
      """
      Without --after-restore, begins a log for a database that never had one, and places the waiting records in it.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [afterRestore, checkpointFile, .json, .help],
    examples: [
      .init(
        command: "passkey-server audit begin --after-restore",
        meaning: "begin a log, and print the key that verifies it")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let keptNote = try keptCheckpoint(arguments)
    let (log, former) = try Console.open(arguments) { (store) async throws(CommandFailure) in
      let former = try await mapError(async: await store.service.auditLog(), CommandFailure.init)
      guard former == nil || arguments[afterRestore] else {
        throw .refused("the database has a log", hint: "after a restoration, give --after-restore")
      }
      if arguments[afterRestore] {
        // Before anything about the log can fail.
        try await mapError(async: await store.service.forgetCeremonies(at: Console.context.time), CommandFailure.init)
      }
      let kept = try keptNote.get()
      guard arguments[afterRestore] == (kept != nil) else {
        throw kept == nil
          ? .inputOutput(
            "this machine has kept no checkpoint",
            hint: "run it where the server runs, or give a checkpoint that you kept elsewhere with --checkpoint")
          : .refused(
            "the database has lost its log, of which there is a checkpoint",
            hint: "restore a backup; to begin a log without the lost records, give --after-restore")
      }
      let log = try await mapError(
        async: await store.service.beginAuditLog(kept: kept, in: Console.context), CommandFailure.init)
      return (log, former)
    }
    if arguments.asksForJSON {
      return try Output.writeObject { (object) in
        object.write("origin", log.origin)
        object.write("verifierKey", log.verifier)
      }
    }
    let predecessor =
      former.map { (former) in
        let size = former.checkpoint.size
        return "follows epoch \(former.log.epoch), which has \(size) \(size == 1 ? "record" : "records")"
      } ?? "begins"
    Diagnostics.server.note("the transparency log \(log.origin) \(predecessor); its key:")
    try Output.write("\(log.verifier)\n")
  }

  /// Returns the checkpoint of the option, or the one of this relying party that this machine has kept; nil without one.
  private static func keptCheckpoint(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> Result<SignedNote?, CommandFailure> {
    if let path = arguments[checkpointFile] { return .success(try SignedNote(inFile: path)) }
    let configuration = try ServerConfiguration(arguments)
    let file = AuditCheckpointFile(secretPath: configuration.secretPath)
    do {
      guard let note = try file.load().map({ (note) in try SignedNote(parsing: note) }) else { return .success(nil) }
      // The log of another relying party was in another database.
      let isOurs = try Checkpoint(parsing: note.text).origin.hasPrefix("\(configuration.relyingParty.id)/audit/")
      return .success(isOurs ? note : nil)
    } catch {
      return .failure(.inputOutput("the kept checkpoint cannot be read: \("\(error)".escapedForTerminal)"))
    }
  }
}
