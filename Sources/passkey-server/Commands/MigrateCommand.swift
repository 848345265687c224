// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
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
      that a later version has used is not changed.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [.help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try Console.use(arguments, for: .creating) { (store, _) async throws(ServiceError) in
      try await store.service.check()
    }
    Diagnostics.server.note("the database has the schema of this version")
  }
}
