// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys export ID`
enum KeysExportCommand: Command {
  static let specification = CommandSpecification(
    name: "keys export",
    summary: "write a passkey with its private key, for another vault",
    arguments: "[OPTION…] ID",
    discussion: [
      """
      Whoever has what is written has the passkey: it is not encrypted. Only passkeys that may move leave; one that is \
      bound to its device, or whose counter counts, does not. Those that are made with --kind passkey-provider may move, and \
      without it none.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FILE"), help: "write there, for the owner alone, not to standard output")
    ] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys export --output ada.json Zk3q", meaning: "the passkey whose id begins so")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let vault = try OwnedVault(arguments)
    let passkey = try vault.passkey(arguments.positionals.first ?? "")
    let portable: PortablePasskey
    do throws(CommandFailure) {
      portable = try vault.perform { (owner) throws(CTAPError) in try owner.export(passkey.id) }
    } catch {
      guard error.exitCode == .refused, !passkey.isBackupEligible else { throw error }
      throw error.hinting("passkeys that may are made with --kind passkey-provider, or --backup eligible")
    }
    try OutputFile.write(portable.json + [UInt8(ascii: "\n")], to: arguments["--output"] ?? "-", isSecret: true)
  }
}
