// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats

/// `passkey browser uninstall`
enum BrowserUninstallCommand: Command {
  static let specification = CommandSpecification(
    name: "browser uninstall",
    summary: "remove what passkey browser install wrote",
    arguments: "[OPTION…]",
    discussion: [
      """
      Removes the native-messaging hosts, and with the last one the folder of the extension. The vault stays. Remove \
      the extension itself on chrome://extensions.
      """,
      "Exit codes: 0 done, 1 a file cannot be deleted, 2 invalid usage, 5 nothing is installed for a named browser.",
    ],
    positionalCount: 0...0,
    options: BrowserTargets.options + [.json, .help],
    examples: [.init(command: "passkey browser uninstall", meaning: "remove everything")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let targets = BrowserTargets(arguments)
    let installation = try BrowserInstallation.ofUser()
    let named = targets.named
    let removed = try mapError(installation.uninstall(named.isEmpty ? nil : named), CommandFailure.init(browser:))
    guard !arguments.asksForJSON else {
      return try Output.writeObject { (object: inout JSONObjectWriter) in
        object.write("removedFor", strings: removed.map(\.target))
      }
    }
    let rows =
      removed.isEmpty
      ? [["nothing was installed"]] : removed.map { (host) in ["removed for", host.target.escapedForTerminal] }
    try Output.write(TextTable(rows: rows, width: nil).text)
  }
}
