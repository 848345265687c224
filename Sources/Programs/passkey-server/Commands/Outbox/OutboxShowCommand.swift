// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server outbox show ID`
enum OutboxShowCommand: Command {
  static let specification = CommandSpecification(
    name: "outbox show",
    summary: "show a notice with its payload and the latest failure",
    arguments: "[OPTION…] ID",
    discussion: ["Prints one line of JSON for each destination of the notice.", ExitCode.paragraph],
    positionalCount: 1...1,
    options: Setting.storeOptions + [.jsonLines, .help],
    examples: [
      .init(command: "passkey-server outbox show XKOzmVSXQ1y9FJtRQ5cVtA", meaning: "show this notice")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let selection = try OutboxChoice.selection(arguments)
    let items = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      try await store.service.outboxItems(selection, limit: .max)
    }
    try OutboxChoice.require(items.count)
    for item in items { try Output.writeObject { (object) in item.write(to: &object, withData: true) } }
  }
}
