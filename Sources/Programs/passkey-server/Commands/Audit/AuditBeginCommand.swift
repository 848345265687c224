// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// `passkey-server audit begin`
enum AuditBeginCommand: Command {
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
    options: Setting.storeOptions + [
      OptionSpecification(name: "--after-restore", help: "begin a new log after an older copy was restored"),
      OptionSpecification(name: "--replace-key", help: "begin a new log with another key"),
      .json, .help,
    ],
    examples: [
      .init(command: "passkey-server audit begin", meaning: "begin the log, and print the key that verifies it")
    ])

  struct Options: CommandArguments {
    fileprivate let settings: SettingOptions
    fileprivate let isAfterRestore: Bool
    fileprivate let replacesKey: Bool
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) {
      settings = SettingOptions(arguments)
      isAfterRestore = arguments.has("--after-restore")
      replacesKey = arguments.has("--replace-key")
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let files = AuditLogFiles(secretPath: try ServerConfiguration(options.settings).secretPath)
    let (log, former) = try Console.open(options.settings) { (store) async throws(CommandFailure) in
      let current = try await mapError(async: await store.service.auditLog(), CommandFailure.init)
      if let current {
        if try files.verifier(of: current.log)?.text != current.log.verifier {
          guard options.replacesKey else {
            throw .refused(
              "\(files.key.path) does not have the key of the log",
              hint: "copy it from another server; if it is lost, --replace-key begins a new log")
          }
        } else if !options.isAfterRestore {
          guard !options.replacesKey else {
            throw .refused("the key of the log is there: \(files.key.path.quotedForTerminal)")
          }
          throw .refused("the trail is a log already", hint: "after a restoration, give --after-restore")
        }
      }
      if options.isAfterRestore {
        // Before anything about the log can fail.
        try await mapError(async: await store.service.forgetCeremonies(at: Console.context.time), CommandFailure.init)
      }
      let key = try files.creatingSigningKey()
      let kept = options.isAfterRestore ? try keptCheckpoint(files) : nil
      let log = try await mapError(
        async: await store.service.beginAuditLog(key: key, kept: kept, in: Console.context), CommandFailure.init)
      return (log, current)
    }
    if options.asJSON {
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
