// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemIO
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
      A line for each passkey, in the order in which they were made: the beginning of its id, the relying party, the user, \
      the algorithm, when it was made and last used, its counter, whether it may be and is backed up, and whether it is \
      discoverable. Lines are cut where the terminal, or $COLUMNS, ends.
      """,
      """
      A non-discoverable credential whose key is sealed in its id takes no room in the vault and is not listed.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(
        name: "--rp-id", value: .init(name: "DOMAIN"), help: "only those of this relying party"),
      OptionSpecification(name: "--json", help: "print a line of JSON for each passkey"),
    ] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys list", meaning: "what is in the usual vault")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let wanted = try arguments.relyingPartyID("--rp-id")
    let passkeys = try OwnedVault(arguments).passkeys().filter { (passkey) in
      wanted == nil || passkey.relyingPartyID == wanted?.text
    }
    if arguments.has("--json") {
      try Output.write(passkeys.map { (passkey) in PasskeyReport.json(passkey) }.joined())
    } else if passkeys.isEmpty {
      Diagnostics.passkey.note("there are no passkeys \(wanted.map { (id) in "for \(id.text) " } ?? "")in the vault")
    } else {
      try Output.write(PasskeyReport.table(passkeys, width: TerminalWidth.columns(of: .standardOutput)))
    }
  }
}
