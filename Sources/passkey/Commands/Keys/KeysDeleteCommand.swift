// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// `passkey keys delete ID`
enum KeysDeleteCommand: Command {
  static let specification = CommandSpecification(
    name: "keys delete",
    summary: "delete a passkey",
    arguments: "[OPTION…] ID",
    discussion: [
      "Deletes its private key permanently. The relying party still knows the credential.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [.yes] + VaultLocation.options + [.help],
    examples: [
      .init(command: "passkey keys delete --yes Zk3q", meaning: "delete the passkey whose id begins with Zk3q")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let vault = try OwnedVault(arguments)
    let passkey = try vault.passkey(arguments.positionals.first ?? "")
    let name = (passkey.user?.name ?? passkey.id.description).escapedForTerminal
    try arguments.confirm(
      "delete the passkey of \(name) for \((passkey.relyingPartyID ?? "a U2F site").escapedForTerminal)")
    try vault.perform { (owner) throws(CTAPError) in try owner.delete(passkey.id) }
    try Output.write("deleted  \(passkey.id)\n")
  }
}
