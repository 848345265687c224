// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
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
      + PasskeyOptions.options,
    examples: [.init(command: "passkey keys rename Zk3q ada@raxx.app", meaning: "rename the user of this passkey")])

  struct Options: CommandArguments {
    fileprivate let passkey: PasskeyOptions
    fileprivate let name: String
    fileprivate let changesDisplayName: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      passkey = try PasskeyOptions(arguments)
      name = arguments.positionals[1]
      changesDisplayName = arguments.has("--display-name")
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (vault, passkey) = try options.passkey.find()
    try vault.perform { (owner) throws(CTAPError) in
      if options.changesDisplayName {
        try owner.rename(passkey.id, displayName: options.name)
      } else {
        try owner.rename(passkey.id, name: options.name)
      }
    }
    try options.passkey.report("renamed", passkey.id)
  }
}
