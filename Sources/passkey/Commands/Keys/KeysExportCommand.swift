// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// `passkey keys export ID`
enum KeysExportCommand: Command {
  static let specification = CommandSpecification(
    name: "keys export",
    summary: "export a passkey with its private key",
    arguments: "[OPTION…] ID",
    discussion: [
      """
      The output is not encrypted: anyone who has it can use the passkey. Only backup-eligible passkeys without a \
      signature counter can be exported. Create them with --kind passkey-provider.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FILE"), help: "write to this file, readable only by you (standard output)"
      )
    ] + PasskeyOptions.options,
    examples: [
      .init(
        command: "passkey keys export --output ada.json Zk3q", meaning: "export the passkey whose id begins with Zk3q")
    ])

  struct Options: CommandArguments {
    fileprivate let passkey: PasskeyOptions
    /// The file to write; `-` for standard output.
    fileprivate let path: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      passkey = try PasskeyOptions(arguments)
      path = arguments["--output"] ?? "-"
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (vault, passkey) = try options.passkey.find()
    let portable: PortablePasskey
    do throws(CommandFailure) {
      portable = try vault.perform { (owner) throws(CTAPError) in try owner.export(passkey.id) }
    } catch {
      guard error.exitCode == .refused, !passkey.isBackupEligible else { throw error }
      throw error.hinting("create exportable passkeys with --kind passkey-provider or --backup eligible")
    }
    try OutputFile.write(portable.json + [UInt8(ascii: "\n")], to: options.path, isSecret: true)
    if options.passkey.asJSON, options.path != "-" {
      try Output.writeObject { (object) in object.write("path", .string(options.path)) }
    }
  }
}
