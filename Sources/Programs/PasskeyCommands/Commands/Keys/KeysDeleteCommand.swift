// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

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
    options: [OwnedVault.yes] + PasskeyOptions.options,
    examples: [
      .init(command: "passkey keys delete --yes Zk3q", meaning: "delete the passkey whose id begins with Zk3q")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let (vault, passkey) = try PasskeyOptions(arguments).find()
    let name = passkey.user?.name.map { "of \($0.escapedForTerminal)" } ?? "\(passkey.id)"
    let site = (passkey.relyingPartyID ?? "a U2F site").escapedForTerminal
    if !arguments[OwnedVault.yes] { try OwnedVault.confirm("delete the passkey \(name) for \(site)") }
    try vault.perform { (owner) throws(CTAPError) in try owner.delete(passkey.id) }
    try PasskeyOptions.report("deleted", passkey.id, asJSON: arguments.asksForJSON)
  }
}
