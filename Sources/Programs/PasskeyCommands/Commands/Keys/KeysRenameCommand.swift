// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys rename ID NAME`
enum KeysRenameCommand: Command {
  private static let displayName = Option("--display-name", help: "change the display name, not the account name")

  static let specification = CommandSpecification(
    name: "keys rename",
    summary: "rename a passkey's user",
    arguments: "[OPTION…] ID NAME",
    discussion: [
      "Changes the name under which the passkey is listed and offered. The relying party is not informed.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 2...2,
    options: [displayName] + PasskeyOptions.options,
    examples: [.init(command: "passkey keys rename Zk3q ada@raxx.app", meaning: "rename the user of this passkey")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = arguments.positionals[1]
    let (vault, passkey) = try PasskeyOptions(arguments).find()
    try vault.perform { (owner) throws(CTAPError) in
      if arguments[displayName] {
        try owner.rename(passkey.id, displayName: name)
      } else {
        try owner.rename(passkey.id, name: name)
      }
    }
    try PasskeyOptions.report("renamed", passkey.id, asJSON: arguments.asksForJSON)
  }
}
