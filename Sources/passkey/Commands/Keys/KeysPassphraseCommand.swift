// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys passphrase`
enum KeysPassphraseCommand: Command {
  static let specification = CommandSpecification(
    name: "keys passphrase",
    summary: "change a vault's passphrase",
    arguments: "[OPTION…]",
    discussion: [
      "Reads the new passphrase from the terminal or from a file. Copies of the vault keep the old one.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(
        name: "--new-passphrase-file", value: .init(name: "FILE"),
        help: "read the new passphrase from this file's first line"),
      OptionSpecification(
        name: "--vault-cost", value: .init(name: "COST", choices: ["standard", "test"]),
        help: "key derivation cost of the new passphrase"),
    ] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys passphrase", meaning: "change the passphrase of the default vault")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    // Changing the passphrase requires the current one, so the agent is not used.
    let vault = try VaultLocation(arguments).open(usingAgent: false)
    let passphrase = try Passphrase.replacement(file: arguments["--new-passphrase-file"], for: vault.path)
    do throws(VaultError) {
      _ = try vault.changePassphrase(to: passphrase, cost: arguments["--vault-cost"] == "test" ? .test : .standard)
    } catch {
      throw CommandFailure(error)
    }
    try Output.write("the passphrase is changed\n")
  }
}
