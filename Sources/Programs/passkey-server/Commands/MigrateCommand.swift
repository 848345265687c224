// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server migrate`
enum MigrateCommand: Command {
  static let specification = CommandSpecification(
    name: "migrate",
    summary: "migrate the database to this version's schema",
    arguments: "[OPTION…]",
    discussion: [
      """
      serve migrates when it starts; use this command to migrate earlier. Each step is one transaction. A database \
      that a later version has used is not changed. Neither the database nor the secret is created: use init for that.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [.json, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try Console.use(arguments, for: .reading) { (store, _) async throws(ServiceError) in
      try await store.service.check()
    }
    if arguments.asksForJSON {
      let database = try ServerConfiguration(arguments).database
      return try Output.writeObject { (object) in object.write("database", .string("\(database)")) }
    }
    Diagnostics.server.note("the database has the schema of this version")
  }
}
