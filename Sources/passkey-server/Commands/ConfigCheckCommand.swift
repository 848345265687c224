// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import PasskeyHTTP
internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// `passkey-server config check`
enum ConfigCheckCommand: Command {
  static let specification = CommandSpecification(
    name: "config check",
    summary: "say what the settings come to",
    arguments: "[OPTION…]",
    discussion: [
      "Reads options, environment and file as serve does, starts nothing, and prints what it would start with. A value that is wrong ends it with one line about the first, and so does a file that cannot be used. The database is not opened."
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
    for warning in configuration.warnings { Diagnostics.server.note("warning: \(warning)") }
  }
}

extension CommandGroup {
  static let configuration = Self(
    name: "config", summary: "look at the settings", discussion: [], members: [ConfigCheckCommand.self])
}

extension ServerConfiguration {
  /// What it comes to, for people.
  fileprivate var rows: [[String]] {
    let proxies = trustedProxies.blocks.map(\.description).joined(separator: ", ")
    return [
      ["relying party", "\(relyingParty.id), \(relyingParty.name.escapedForTerminal)"],
      ["profile", profile.name],
      ["origins", relyingParty.origins.map(\.text.escapedForTerminal).joined(separator: ", ")],
      ["listens at", "\(listen), \(tls == nil ? "plain HTTP" : "TLS")"],
      ["trusted proxies", proxies.isEmpty ? "none" : proxies],
      ["metrics", metrics.rawValue],
      ["database", "\(database)"],
      ["sign-up", policy.signUp.rawValue],
      [
        "sessions",
        "\(policy.sessions.lifetime.components.seconds) s" + (policy.sessions.renewal == nil ? "" : ", renewed"),
      ],
      ["step-up", "\(policy.grantLifetime.components.seconds) s"],
    ]
  }

  /// Files and folders that serve would not start without.
  fileprivate func requireFiles() throws(CommandFailure) {
    for path in [tls?.certificatePath, tls?.keyPath].compactMap({ $0 }) {
      guard unsafe access(path, R_OK) != 0 else { continue }
      throw .inputOutput("cannot read \(path.quotedForTerminal): \(SystemError(number: errno).message.lowercased())")
    }
    _ = try SecretFile(path: secretPath).read()
    var written = [secretPath]
    if case .file(let path) = database { written.append(path) }
    for path in written {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      guard unsafe access(folder, W_OK | X_OK) != 0 else { continue }
      throw .inputOutput(
        "cannot write into \(folder.quotedForTerminal): \(SystemError(number: errno).message.lowercased())")
    }
  }
}

extension TLSFiles {
  /// Serves nothing with them, on a port that nobody knows.
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
