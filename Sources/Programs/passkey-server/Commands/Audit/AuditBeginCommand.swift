// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// `passkey-server audit begin`
enum AuditBeginCommand: Command {
  private static let afterRestore = Option("--after-restore", help: "begin a new log after an older copy was restored")
  private static let replaceKey = Option("--replace-key", help: "begin a new log with another key")

  static let specification = CommandSpecification(
    name: "audit begin",
    summary: "turn the chain of audit records into a transparency log",
    arguments: "[OPTION…]",
    discussion: [
      """
      Verifies the chain, creates the key of the log beside the secret, and writes the first record of the log, which \
      names the end of the chain. Replace all servers of the database by this version first. There is no way back.
      """,
      """
      With --after-restore, begins a new log after an older copy of the database was restored. If the copy lacks records \
      of the log that this machine saw last, the first record contains the last checkpoint of it. Ceremonies that have begun must begin again. With --replace-key, \
      begins one with another key, because the key was lost.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [afterRestore, replaceKey, .json, .help],
    examples: [
      .init(command: "passkey-server audit begin", meaning: "begin the log, and print the key that verifies it")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let files = AuditLogFiles(secretPath: try ServerConfiguration(arguments).secretPath)
    let (log, former) = try Console.open(arguments) { (store) async throws(CommandFailure) in
      let current = try await mapError(async: await store.service.auditLog(), CommandFailure.init)
      if let current {
        if try files.verifier(of: current.log)?.text != current.log.verifier {
          guard arguments[replaceKey] else {
            throw .refused(
              "\(files.key.path) does not have the key of the log",
              hint: "copy it from another server; if it is lost, --replace-key begins a new log")
          }
        } else if !arguments[afterRestore] {
          guard !arguments[replaceKey] else {
            throw .refused("the key of the log is there: \(files.key.path.quotedForTerminal)")
          }
          throw .refused("the trail is a log already", hint: "after a restoration, give --after-restore")
        }
      }
      if arguments[afterRestore] {
        // Before anything about the log can fail.
        try await mapError(async: await store.service.forgetCeremonies(at: Console.context.time), CommandFailure.init)
      }
      let key = try files.creatingSigningKey()
      let kept = arguments[afterRestore] ? try keptCheckpoint(files) : nil
      let log = try await mapError(
        async: await store.service.beginAuditLog(key: key, kept: kept, in: Console.context), CommandFailure.init)
      return (log, current)
    }
    if arguments.asksForJSON {
      return try Output.writeObject { (object) in
        object.write("origin", log.origin)
        object.write("verifierKey", log.verifier)
        object.write("after", .integer(log.after))
      }
    }
    let predecessor =
      former.map { (former) in
        let size = former.checkpoint.size
        return "epoch \(former.log.epoch), which has \(size) \(size == 1 ? "record" : "records")"
      } ?? "record \(log.after)"
    Diagnostics.server.note("the transparency log \(log.origin) follows \(predecessor); its key:")
    try Output.write("\(log.verifier)\n")
  }

  /// Returns the checkpoint that this machine has kept.
  private static func keptCheckpoint(_ files: AuditLogFiles) throws(CommandFailure) -> SignedNote {
    do {
      guard let note = try files.load() else {
        throw CommandFailure.inputOutput("this machine has kept no checkpoint", hint: "run it where the server runs")
      }
      return try SignedNote(parsing: note)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw .inputOutput("the kept checkpoint cannot be read: \("\(error)".escapedForTerminal)")
    }
  }
}
