// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys show ID`
enum KeysShowCommand: Command {
  static let specification = CommandSpecification(
    name: "keys show",
    summary: "tell everything about one passkey, but its key",
    arguments: "[OPTION…] ID",
    discussion: [
      "A line for each fact. ID is the beginning of the passkey's id, as keys list shows it.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [OptionSpecification(name: "--json", help: "print a line of JSON")] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys show Zk3q", meaning: "the passkey whose id begins so")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let passkey = try OwnedVault(arguments).passkey(arguments.positionals.first ?? "")
    try Output.write(arguments.has("--json") ? PasskeyReport.json(passkey) : PasskeyReport.text(passkey))
  }
}
