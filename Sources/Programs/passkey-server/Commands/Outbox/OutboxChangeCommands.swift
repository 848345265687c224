// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server outbox retry [ID]`
enum OutboxRetryCommand: Command {
  static let specification = CommandSpecification(
    name: "outbox retry",
    summary: "deliver notices now, also dead letters",
    arguments: "[OPTION…] [ID]",
    discussion: [
      """
      Makes the chosen notices due at once, with all attempts ahead. Notices that a deliverer sends at the moment stay as \
      they are. A running deliverer of another process notices within a second.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...1,
    options: Setting.storeOptions + OutboxChoice.options + [.json, .help],
    examples: [.init(command: "passkey-server outbox retry --dead", meaning: "try all dead letters again")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let selection = try OutboxChoice.required(arguments)
    let count = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      try await store.service.requeue(selection, at: context.time)
    }
    try OutboxChoice.require(count)
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("retried", .integer(count)) } }
    Diagnostics.server.note("\(count) to deliver again")
  }
}

/// `passkey-server outbox drop [ID]`
enum OutboxDropCommand: Command {
  static let specification = CommandSpecification(
    name: "outbox drop",
    summary: "delete notices without delivering them",
    arguments: "[OPTION…] [ID]",
    discussion: ["Later notices of the same accounts go on.", ExitCode.paragraph],
    positionalCount: 0...1,
    options: Setting.storeOptions + OutboxChoice.options + [.json, .help],
    examples: [
      .init(
        command: "passkey-server outbox drop --destination webhook:old", meaning: "forget a destination that is gone")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let selection = try OutboxChoice.required(arguments)
    let count = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      try await store.service.drop(selection, at: context.time)
    }
    try OutboxChoice.require(count)
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("deleted", .integer(count)) } }
    Diagnostics.server.note("\(count) deleted")
  }
}
