// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys reset`
enum KeysResetCommand: Command {
  static let specification = CommandSpecification(
    name: "keys reset",
    summary: "reset a vault's device to factory settings",
    arguments: "[OPTION…]",
    discussion: [
      "Deletes every passkey, the PIN, fingerprints, large blobs and settings. The passphrase stays.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...0,
    options: [.yes] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys reset --vault test.vault --yes", meaning: "start over with an empty vault")]
  )

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let vault = try OwnedVault(arguments)
    let count = try vault.passkeys().count
    try arguments.confirm("delete all \(count) passkeys")
    try vault.perform { (owner) throws(CTAPError) in try owner.reset() }
    try Output.write("deleted  \(count) passkey\(count == 1 ? "" : "s")\n")
  }
}
