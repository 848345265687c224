// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySQLite
internal import PasskeyService
internal import PasskeyStorage
internal import PasskeySystem

/// `passkey-server backup FILE`
enum BackupCommand: Command {
  static let specification = CommandSpecification(
    name: "backup",
    summary: "copy a SQLite database while it is in use",
    arguments: "[OPTION…] FILE",
    discussion: [
      """
      The copy is a snapshot, and the server keeps running meanwhile. The target file must not exist. The copy does \
      not contain the secret: back it up separately. For PostgreSQL, use pg_dump.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.storeOptions + [.json, .help],
    examples: [
      .init(command: "passkey-server backup monday.sqlite", meaning: "write a copy that can be opened at once")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let path = arguments.positionals[0]
    try Console.open(arguments) { (store) async throws(CommandFailure) in
      guard let file = store.file else {
        throw .usage("backup needs a SQLite database", hint: "copy a PostgreSQL database with pg_dump")
      }
      try await mapError(async: await file.backUp(to: path)) { (error: StorageError) in
        CommandFailure.inputOutput(
          "cannot copy to \(path.quotedForTerminal): \(error.description.escapedForTerminal)",
          hint: "name a new file in a folder that you can write")
      }
    }
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("path", .string(path)) } }
    Diagnostics.server.note("copied to \(path.escapedForTerminal)")
  }
}
