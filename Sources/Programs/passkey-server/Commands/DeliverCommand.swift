// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server deliver`
enum DeliverCommand: Command {
  static let specification = CommandSpecification(
    name: "deliver",
    summary: "deliver notices until stopped, in a process of its own",
    arguments: "[OPTION…]",
    discussion: [
      """
      Delivers the notices that servers of the same database write, to the destinations of the settings. Several \
      processes may deliver: each notice is claimed by one of them. Run the servers with --deliver off to keep \
      deliveries out of them.
      """,
      """
      SIGTERM, SIGINT and closing the terminal stop it after the running attempts, at most ten seconds later. SIGHUP \
      makes it read keys and certificates again.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.allOptions + [.help],
    examples: [
      .init(
        command: "passkey-server deliver --config /etc/passkey-server.json",
        meaning: "deliver what the servers with this settings file write")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try ServerConfiguration(arguments)
    // Block the signals before any other thread starts, since threads inherit the signal mask.
    let signals = StopSignals()
    let (store, deliverer) = try Blocking.wait { () async throws(CommandFailure) in
      let store = try await OpenStore.open(configuration, for: .administering)
      return (store, try RunningDeliverer.start(configuration.deliveries, for: store.service, metrics: nil))
    }
    guard let deliverer else {
      throw .usage("there is no destination", hint: "name one, for example with --mail or --deliveries")
    }
    Diagnostics.server.note(
      "delivering to \(configuration.deliveries.destinations.map(\.name.rawValue.escapedForTerminal).joined(separator: ", "))"
    )
    signals.wait { DeliveryKeys.reload(configuration.deliveries) }
    Diagnostics.server.note("stopping")
    try Blocking.wait { () async throws(CommandFailure) in
      await deliverer.stop()
      await store.close()
    }
  }
}
