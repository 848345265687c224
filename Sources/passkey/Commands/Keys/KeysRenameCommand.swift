// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys rename ID NAME`
enum KeysRenameCommand: Command {
  static let specification = CommandSpecification(
    name: "keys rename",
    summary: "rename a passkey's user",
    arguments: "[OPTION…] ID NAME",
    discussion: [
      "Changes the name under which the passkey is listed and offered. The relying party is not informed.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 2...2,
    options: [OptionSpecification(name: "--display-name", help: "change the display name, not the account name")]
      + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys rename Zk3q ada@raxx.app", meaning: "rename the user of this passkey")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let vault = try OwnedVault(arguments)
    let passkey = try vault.passkey(arguments.positionals.first ?? "")
    let name = arguments.positionals.last ?? ""
    try vault.perform { (owner) throws(CTAPError) in
      if arguments.has("--display-name") {
        try owner.rename(passkey.id, displayName: name)
      } else {
        try owner.rename(passkey.id, name: name)
      }
    }
    try Output.write("renamed  \(passkey.id)\n")
  }
}
