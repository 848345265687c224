// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
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
    options: [OwnedVault.yes] + VaultLocation.options + [.json, .help],
    examples: [.init(command: "passkey keys reset --vault test.vault --yes", meaning: "start over with an empty vault")]
  )

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let vault = try OwnedVault(VaultLocation(arguments))
    let count = try vault.passkeys().count
    if !arguments[OwnedVault.yes] { try OwnedVault.confirm(Self.act(count)) }
    try vault.perform { (owner) throws(CTAPError) in try owner.reset() }
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("deleted", .integer(count)) } }
    try Output.write("deleted  \(count) passkey\(count == 1 ? "" : "s")\n")
  }

  private static func act(_ count: Int) -> String {
    "delete \(count == 1 ? "the only passkey" : "all \(count) passkeys"), the PIN, fingerprints, large blobs and settings"
  }
}
