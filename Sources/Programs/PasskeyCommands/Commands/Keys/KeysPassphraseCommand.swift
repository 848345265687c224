// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys passphrase`
enum KeysPassphraseCommand: Command {
  private static let newPassphraseFile = Option(
    "--new-passphrase-file", "FILE",
    help: "read the new passphrase from this file's first line")
  private static let vaultCost = Option(
    "--vault-cost", "COST", choices: ["standard", "test"],
    help: "key derivation cost of the new passphrase")

  static let specification = CommandSpecification(
    name: "keys passphrase",
    summary: "change a vault's passphrase",
    arguments: "[OPTION…]",
    discussion: [
      "Reads the new passphrase from the terminal or from a file. Copies of the vault keep the old one.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...0,
    options: [newPassphraseFile, vaultCost] + VaultLocation.options + [.json, .help],
    examples: [.init(command: "passkey keys passphrase", meaning: "change the passphrase of the default vault")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    // Changing the passphrase requires the current one, so the agent is not used.
    let vault = try VaultLocation(arguments).open(usingAgent: false)
    let passphrase = try Passphrase.replacement(file: arguments[newPassphraseFile], for: vault.path)
    let cost = VaultCost(arguments)
    _ = try mapError(vault.changePassphrase(to: passphrase, cost: cost)) { (error: VaultError) in
      CommandFailure(error)
    }
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("path", .string(vault.path)) } }
    try Output.write("the passphrase is changed\n")
  }
}
