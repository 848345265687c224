// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys show ID`
enum KeysShowCommand: Command {
  static let specification = CommandSpecification(
    name: "keys show",
    summary: "show all details of one passkey, except its key",
    arguments: "[OPTION…] ID",
    discussion: [
      "Prints one fact a line. ID is the beginning of the passkey's id, as keys list shows it.",
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: PasskeyOptions.options,
    examples: [.init(command: "passkey keys show Zk3q", meaning: "show the passkey whose id begins with Zk3q")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let (_, passkey) = try PasskeyOptions(arguments).find()
    if arguments.asksForJSON { return try Output.write(passkey.json + [UInt8(ascii: "\n")]) }
    try Output.write(PasskeyReport.text(passkey))
  }
}

/// The options of a command about one passkey, given by the beginning of its ID.
struct PasskeyOptions {
  private let vault: VaultLocation
  private let id: String

  /// The options that every such command has.
  static let options: [any OptionSpecification] = VaultLocation.options + [.json, .help]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    vault = try VaultLocation(arguments)
    id = arguments.positionals[0]
  }

  /// Opens the vault and finds the passkey.
  func find() throws(CommandFailure) -> (vault: OwnedVault, passkey: StoredPasskey) {
    let vault = try OwnedVault(vault)
    return (vault, try vault.passkey(id))
  }

  /// Prints what was done to a passkey.
  static func report(_ act: String, _ id: CredentialID, asJSON: Bool) throws(CommandFailure) {
    if asJSON { return try Output.writeObject { (object) in object.write("id", .base64URL(id.bytes)) } }
    try Output.write("\(act)  \(id)\n")
  }
}
