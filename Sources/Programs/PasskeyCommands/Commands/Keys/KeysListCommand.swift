// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys list`
enum KeysListCommand: Command {
  private static let relyingPartyID = Option<RelyingPartyID?>(
    "--rp-id", "DOMAIN", help: "list only passkeys of this relying party")

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
    options: [relyingPartyID, .jsonLines] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys list", meaning: "list the passkeys in the default vault")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let wanted = arguments[relyingPartyID]
    let passkeys = try OwnedVault(VaultLocation(arguments)).passkeys().filter { (passkey) in
      wanted == nil || passkey.relyingPartyID == wanted?.text
    }
    if arguments.asksForJSON {
      for passkey in passkeys { try Output.write(passkey.json + [UInt8(ascii: "\n")]) }
    } else if passkeys.isEmpty {
      Diagnostics.passkey.note("there are no passkeys \(wanted.map { (id) in "for \(id.text) " } ?? "")in the vault")
    } else {
      try Output.write(PasskeyReport.table(passkeys, width: TerminalWidth.columns(of: .standardOutput)))
    }
  }
}
