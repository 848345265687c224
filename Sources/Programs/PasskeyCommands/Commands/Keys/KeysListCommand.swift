// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys list`
enum KeysListCommand: Command {
  static let specification = CommandSpecification(
    name: "keys list",
    summary: "list the passkeys in a vault",
    arguments: "[OPTION…]",
    discussion: [
      """
      Prints a line for each passkey, oldest first: the beginning of its id, the relying party, the user, the \
      algorithm, the times of creation and last use, its counter, its backup state, and whether it is discoverable. \
      Lines are cut at the width of the terminal or $COLUMNS.
      """,
      "Does not list non-discoverable credentials whose key is sealed in their id: the vault does not store them.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(
        name: "--rp-id", value: .init(name: "DOMAIN"), help: "list only passkeys of this relying party"),
      .jsonLines,
    ] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys list", meaning: "list the passkeys in the default vault")])

  struct Options: CommandArguments {
    fileprivate let vault: VaultLocation
    /// The relying party whose passkeys are listed; `nil` for all.
    fileprivate let relyingPartyID: RelyingPartyID?
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      vault = try VaultLocation(arguments)
      relyingPartyID = try arguments.relyingPartyID("--rp-id")
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let wanted = options.relyingPartyID
    let passkeys = try OwnedVault(options.vault).passkeys().filter { (passkey) in
      wanted == nil || passkey.relyingPartyID == wanted?.text
    }
    if options.asJSON {
      for passkey in passkeys { try Output.write(passkey.json + [UInt8(ascii: "\n")]) }
    } else if passkeys.isEmpty {
      Diagnostics.passkey.note("there are no passkeys \(wanted.map { (id) in "for \(id.text) " } ?? "")in the vault")
    } else {
      try Output.write(PasskeyReport.table(passkeys, width: TerminalWidth.columns(of: .standardOutput)))
    }
  }
}
