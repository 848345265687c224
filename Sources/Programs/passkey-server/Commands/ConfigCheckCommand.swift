// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyHTTPServer
internal import PasskeySystem

/// `passkey-server config check`
enum ConfigCheckCommand: Command {
  static let specification = CommandSpecification(
    name: "config check",
    summary: "print the effective settings",
    arguments: "[OPTION…]",
    discussion: [
      """
      Reads options, environment and file like serve, and prints the effective settings without starting anything. \
      Reports the first invalid value or unusable file in one line, and warns of unusual settings. Reads a SQLite database, \
      if there is one, and writes nothing to it: the secret and the relying party must be its own, and the warnings name a \
      missing administrator and accounts without recovery.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.allOptions + [.json, .help],
    examples: [
      .init(command: "passkey-server config check --config server.json", meaning: "check the settings before a restart")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try ServerConfiguration(arguments)
    try configuration.requireFiles()
    try configuration.tls?.validate()
    try OpenStore.validate(configuration)
    _ = try configuration.deliveries.senders()
    let settings = try arguments.settings()
    var warnings = configuration.warnings + configuration.oddities + (settings.file?.warnings ?? [])
    if case .file(let path) = configuration.database { warnings += try DatabaseFiles(path: path).warnings() }
    warnings += try Blocking.wait { () async throws(CommandFailure) in
      try await StoreInspection.warnings(configuration)
    }
    if arguments.asksForJSON { return try write(configuration, settings, warnings) }
    let table = TextTable(rows: configuration.rows, width: TerminalWidth.columns(of: .standardOutput))
    try Output.write(table.text)
    for warning in warnings { Diagnostics.server.note("warning: \(warning)") }
  }

  private static func write(
    _ configuration: ServerConfiguration, _ settings: Settings, _ warnings: [String]
  ) throws(CommandFailure) {
    try Output.writeObject { (object) in
      object.writeObject("settings") { (object) in configuration.write(settings, to: &object) }
      object.writeArray("warnings") { (list) in
        for warning in warnings { list.write(.string(warning)) }
      }
    }
  }
}

extension CommandGroup {
  static let configuration = Self(
    name: "config", summary: "check the settings", discussion: [], members: [ConfigCheckCommand.self])
}

extension TLSFiles {
  /// Checks the files by starting a server with them on a random loopback port and stopping it.
  fileprivate func validate() throws(CommandFailure) {
    let configuration = HTTPServerConfiguration(address: .loopback, port: 0, tls: self)
    do throws(EndpointError) {
      let server = try HTTPServer(configuration) { (_) in .noContent }
      try? Blocking.wait { () async throws(CommandFailure) in await server.stop() }
    } catch {
      throw unusable
    }
  }
}
