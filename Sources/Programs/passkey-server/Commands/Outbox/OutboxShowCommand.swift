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
    options: Setting.storeOptions + [OptionSpecification.jsonLines, .help],
    examples: [
      .init(command: "passkey-server outbox show XKOzmVSXQ1y9FJtRQ5cVtA", meaning: "show this notice")
    ])

  struct Options: CommandArguments {
    fileprivate let settings: SettingOptions
    fileprivate let selection: OutboxSelection

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      settings = SettingOptions(arguments)
      selection = try OutboxChoice.selection(arguments)
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let selection = options.selection
    let items = try Console.use(options.settings) { (store, _) async throws(ServiceError) in
      try await store.service.outboxItems(selection, limit: .max)
    }
    try OutboxChoice.require(items.count)
    for item in items { try Output.writeObject { (object) in item.write(to: &object, withData: true) } }
  }
}
