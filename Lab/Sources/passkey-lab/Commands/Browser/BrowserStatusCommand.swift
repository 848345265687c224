// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats

/// `passkey browser status`
enum BrowserStatusCommand: Command {
  static let specification = CommandSpecification(
    name: "browser status",
    summary: "show for which browsers the extension is set up",
    arguments: "[OPTION…]",
    discussion: [
      """
      Shows whether the files of the extension and of each native-messaging host are complete. Whether a browser has \
      loaded the extension is shown on chrome://extensions only.
      """,
      "Exit codes: 0 done, 1 a file cannot be read, 2 invalid usage.",
    ],
    positionalCount: 0...0,
    options: [.json, .help],
    examples: [.init(command: "passkey browser status", meaning: "show what is installed and what is missing")])

  /// The features that Chromium does not pass to an extension.
  private static let limits = [
    "autofill (conditional mediation)", "conditional creation",
    "signals of a site (signalUnknownCredential and others)",
    "the origin of the page that embeds an iframe", "incognito windows",
  ]

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let installation = try BrowserInstallation.ofUser()
    let status = try mapError(installation.status(), CommandFailure.init(browser:))
    guard !arguments.asksForJSON else { return try write(status, installation) }
    var rows: [[String]] = [
      [
        "extension",
        status.isExtensionCurrent
          ? installation.extensionFolder.escapedForTerminal : "not installed, or of another version",
      ],
      ["extension id", BrowserExtension.identifier],
    ]
    for entry in status.hosts {
      let missing = entry.missing.map(\.escapedForTerminal).joined(separator: ", ")
      rows.append([
        "installed for", entry.host.target.escapedForTerminal + (missing.isEmpty ? "" : ", lacks \(missing)"),
      ])
      rows.append(["with", entry.host.arguments.map(\.escapedForTerminal).joined(separator: " ")])
    }
    let others = installation.browsers.map(\.rawValue).filter { (name) in
      !status.hosts.contains { (entry) in entry.host.target == name }
    }
    rows += others.map { (name) in ["not installed for", name] }
    rows += limits.map { (limit) in ["not served", limit] }
    try Output.write(TextTable(rows: rows, width: nil).text)
  }

  private static func write(
    _ status: BrowserInstallation.Status, _ installation: BrowserInstallation
  ) throws(CommandFailure) {
    try Output.writeObject { (object: inout JSONObjectWriter) in
      object.write("extension", installation.extensionFolder)
      object.write("extensionId", BrowserExtension.identifier)
      object.write("isExtensionCurrent", .bool(status.isExtensionCurrent))
      object.writeArray("hosts") { (list: inout JSONArrayWriter) in
        for entry in status.hosts {
          list.writeObject { (host: inout JSONObjectWriter) in
            host.write("target", entry.host.target)
            host.write("manifest", entry.host.manifest)
            host.write("launcher", entry.host.launcher)
            host.write("options", strings: entry.host.arguments)
            host.write("missing", strings: entry.missing)
          }
        }
      }
      object.write("browsers", strings: installation.browsers.map(\.rawValue))
      object.write("notServed", strings: limits)
    }
  }
}
