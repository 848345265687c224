// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyHTTP
internal import SystemIO

/// `passkey-server config check`
enum ConfigCheckCommand: Command {
  static let specification = CommandSpecification(
    name: "config check",
    summary: "say what the settings come to",
    arguments: "[OPTION…]",
    discussion: [
      "Reads options, environment and file as serve does, starts nothing, and prints what it would start with. A value that is wrong ends it with one line about the first, and so does a file that cannot be used. The database is not opened.",
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.allOptions,
    examples: [.init(command: "passkey-server config check --config server.json", meaning: "before a restart")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try ServerConfiguration(arguments)
    try configuration.requireFiles()
    try configuration.tls?.tryOut()
    try OpenStore.tryOut(configuration)
    let table = TextTable(rows: configuration.rows, width: TerminalWidth.columns(of: .standardOutput))
    try Output.write(table.text)
    var warnings = configuration.warnings
    if case .file(let path) = configuration.database { warnings += try DatabaseFiles(path: path).warnings() }
    for warning in warnings { Diagnostics.server.note("warning: \(warning)") }
  }
}

extension CommandGroup {
  static let configuration = Self(
    name: "config", summary: "look at the settings", discussion: [], members: [ConfigCheckCommand.self])
}

extension TLSFiles {
  /// Checks the files by starting a server with them on a random loopback port and stopping it.
  fileprivate func tryOut() throws(CommandFailure) {
    let configuration = HTTPServerConfiguration(address: .loopback, port: 0, tls: self)
    do throws(HTTPError) {
      let server = try HTTPServer(configuration) { (_) in .noContent }
      try? Blocking.wait { () async throws(CommandFailure) in await server.stop() }
    } catch {
      throw unusable
    }
  }
}
