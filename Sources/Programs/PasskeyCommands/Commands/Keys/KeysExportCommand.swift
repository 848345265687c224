// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys export ID` and `passkey keys export --cxf [ID…]`
enum KeysExportCommand: Command {
  static let specification = CommandSpecification(
    name: "keys export",
    summary: "export passkeys with their private keys",
    arguments: "[OPTION…] ID…",
    discussion: [
      """
      The output is not encrypted: anyone who has it can use the passkeys. It is never written to a terminal.
      """,
      """
      Without --cxf, exports one passkey as JSON for keys import. It must be backup-eligible and without a signature \
      counter. Create such passkeys with --kind passkey-provider.
      """,
      """
      With --cxf, exports all passkeys, or those whose ids begin with ID, in FIDO's Credential Exchange Format 1.0, \
      which other providers import. The file includes the state of prf, credBlob, largeBlob and payments. Passkeys \
      that are left out are listed with the reason: the format excludes those whose signature counter is not zero.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...1_000,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FILE"),
        help: "write to this new file, readable only by you (standard output)"),
      OptionSpecification(name: "--cxf", help: "export in the Credential Exchange Format"),
      OptionSpecification(
        name: "--include-device-bound",
        help: "with --cxf: also export device-bound passkeys, whose copies relying parties may refuse"),
    ] + PasskeyOptions.options,
    examples: [
      .init(
        command: "passkey keys export --output ada.json Zk3q", meaning: "export the passkey whose id begins with Zk3q"),
      .init(
        command: "passkey keys export --cxf --output passkeys.json", meaning: "export all passkeys for another provider"
      ),
    ])

  struct Options: CommandArguments {
    fileprivate let vault: VaultLocation
    fileprivate let ids: [String]
    fileprivate let format: Format
    /// The file to write; `-` for standard output.
    fileprivate let path: String
    fileprivate let asJSON: Bool

    fileprivate enum Format {
      case portable
      case credentialExchange(includesDeviceBound: Bool)
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      vault = try VaultLocation(arguments)
      ids = arguments.positionals
      path = arguments["--output"] ?? "-"
      asJSON = arguments.asksForJSON
      let includesDeviceBound = arguments.has("--include-device-bound")
      if arguments.has("--cxf") {
        format = .credentialExchange(includesDeviceBound: includesDeviceBound)
      } else {
        guard !includesDeviceBound else {
          throw .usage("--include-device-bound needs --cxf", hint: "add --cxf")
        }
        guard ids.count == 1 else {
          throw .usage(
            "keys export: \(ids.isEmpty ? "the argument ID is missing" : "too many arguments (\(ids.count); at most 1)")",
            hint: "give one passkey's id, or export several passkeys with --cxf")
        }
        format = .portable
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    guard options.path != "-" || !FileDescriptor.standardOutput.isTerminal else {
      throw .refused("private keys are not written to a terminal", hint: "name a file with --output")
    }
    try OutputFile.demandNew(options.path)
    let vault = try OwnedVault(options.vault)
    switch options.format {
    case .portable: try exportPortable(vault, options)
    case .credentialExchange(let includesDeviceBound):
      try exportCredentialExchange(vault, options, includesDeviceBound)
    }
  }

  private static func exportPortable(_ vault: OwnedVault, _ options: Options) throws(CommandFailure) {
    let passkey = try vault.passkey(options.ids[0])
    let portable: PortablePasskey
    do throws(CommandFailure) {
      portable = try vault.perform { (owner) throws(CTAPError) in try owner.export(passkey.id) }
    } catch {
      guard error.exitCode == .refused, !passkey.isBackupEligible else { throw error }
      throw error.hinting("create exportable passkeys with --kind passkey-provider or --backup eligible")
    }
    try OutputFile.write(portable.json + [UInt8(ascii: "\n")], to: options.path, isSecret: true)
    if options.asJSON, options.path != "-" {
      try Output.writeObject { (object) in object.write("path", .string(options.path)) }
    }
  }

  private static func exportCredentialExchange(
    _ vault: OwnedVault, _ options: Options, _ includesDeviceBound: Bool
  ) throws(CommandFailure) {
    var ids: [CredentialID]?
    if !options.ids.isEmpty {
      ids = []
      for id in options.ids { ids?.append(try vault.passkey(id).id) }
    }
    let export = try vault.perform { [ids] (owner) throws(CTAPError) in
      try owner.exportCredentialExchange(ids, includingDeviceBound: includesDeviceBound, at: Clock.now)
    }
    ExchangeReport.note(export.excluded)
    ExchangeReport.note(members: export.leftOutMembers)
    guard !export.exported.isEmpty else {
      guard !export.excluded.isEmpty else { throw .refused("there are no passkeys in the vault") }
      let isDeviceBound = export.excluded.contains { (passkey) in passkey.reason == .deviceBound }
      throw .refused(
        "no passkey can be exported; nothing was written",
        hint: isDeviceBound ? "--include-device-bound also exports device-bound passkeys" : nil)
    }
    try OutputFile.write(export.text + [UInt8(ascii: "\n")], to: options.path, isSecret: true)
    guard options.path != "-" else { return }
    guard options.asJSON else {
      return try Output.write(export.exported.map { (id) in "exported  \(id)\n" }.joined())
    }
    try Output.writeObject { (object) in
      object.write("path", .string(options.path))
      object.writeArray("exported") { (ids) in for id in export.exported { ids.write(.base64URL(id.bytes)) } }
      ExchangeReport.write(export.excluded, to: &object)
      ExchangeReport.write("leftOutMembers", export.leftOutMembers, to: &object)
    }
  }
}
