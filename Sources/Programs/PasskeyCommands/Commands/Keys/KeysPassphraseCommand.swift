// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
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
    ] + VaultLocation.options + [.json, .help],
    examples: [.init(command: "passkey keys passphrase", meaning: "change the passphrase of the default vault")])

  struct Options: CommandArguments {
    fileprivate let vault: VaultLocation
    fileprivate let cost: VaultCost
    /// The file with the new passphrase; `nil` to ask at the terminal.
    fileprivate let file: String?
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      vault = try VaultLocation(arguments)
      cost = VaultCost(arguments)
      file = arguments["--new-passphrase-file"]
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    // Changing the passphrase requires the current one, so the agent is not used.
    let vault = try options.vault.open(usingAgent: false)
    let passphrase = try Passphrase.replacement(file: options.file, for: vault.path)
    _ = try mapError(vault.changePassphrase(to: passphrase, cost: options.cost)) { (error: VaultError) in
      CommandFailure(error)
    }
    if options.asJSON { return try Output.writeObject { (object) in object.write("path", .string(vault.path)) } }
    try Output.write("the passphrase is changed\n")
  }
}
