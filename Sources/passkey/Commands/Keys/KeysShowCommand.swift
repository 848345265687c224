// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys show ID`
enum KeysShowCommand: Command {
  static let specification = CommandSpecification(
    name: "keys show",
    summary: "show all details of one passkey, except its key",
    arguments: "[OPTION…] ID",
    discussion: [
      "Prints one fact a line. ID is the beginning of the passkey's id, as keys list shows it.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [OptionSpecification(name: "--json", help: "print one line of JSON")] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys show Zk3q", meaning: "show the passkey whose id begins with Zk3q")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let passkey = try OwnedVault(arguments).passkey(arguments.positionals.first ?? "")
    try Output.write(arguments.has("--json") ? PasskeyReport.json(passkey) : PasskeyReport.text(passkey))
  }
}
