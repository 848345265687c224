// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys export [ID…]`
enum KeysExportCommand: Command {
  private static let output = Option(
    "--output", "FILE", help: "write to this new file, readable only by you (standard output)")
  private static let includeDeviceBound = Option(
    "--include-device-bound",
    help: "also export device-bound passkeys, whose copies relying parties may refuse")

  static let specification = CommandSpecification(
    name: "keys export",
    summary: "export passkeys with their private keys",
    arguments: "[OPTION…] [ID…]",
    discussion: [
      """
      The output is not encrypted: anyone who has it can use the passkeys. It is never written to a terminal.
      """,
      """
      Exports all passkeys, or those whose ids begin with ID, in FIDO's Credential Exchange Format 1.0, which other \
      providers import. The file includes the state of prf, credBlob, largeBlob and payments. Passkeys that are left \
      out are listed with the reason: the format excludes those whose signature counter is not zero.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 0...1_000,
    options: [output, includeDeviceBound] + PasskeyOptions.options,
    examples: [
      .init(
        command: "passkey keys export --output ada.json Zk3q", meaning: "export the passkey whose id begins with Zk3q"),
      .init(
        command: "passkey keys export --output passkeys.json", meaning: "export all passkeys for another provider"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let location = try VaultLocation(arguments)
    let path = arguments[output] ?? "-"
    guard path != "-" || !FileDescriptor.standardOutput.isTerminal else {
      throw .refused("private keys are not written to a terminal", hint: "name a file with --output")
    }
    try OutputFile.demandNew(path)
    let vault = try OwnedVault(location)
    var ids: [CredentialID]?
    if !arguments.positionals.isEmpty {
      ids = []
      for id in arguments.positionals { ids?.append(try vault.passkey(id).id) }
    }
    let export = try vault.perform { [ids] (owner) throws(CTAPError) in
      try owner.exportCredentialExchange(ids, includingDeviceBound: arguments[includeDeviceBound], at: Clock.now)
    }
    ExchangeReport.note(export.excluded)
    ExchangeReport.note(members: export.leftOutMembers)
    ExchangeReport.noteAlgorithms(of: export)
    guard !export.exported.isEmpty else {
      guard !export.excluded.isEmpty else { throw .refused("there are no passkeys in the vault") }
      let isDeviceBound = export.excluded.contains { (passkey) in passkey.reason == .deviceBound }
      throw .refused(
        "no passkey can be exported; nothing was written",
        hint: isDeviceBound ? "--include-device-bound also exports device-bound passkeys" : nil)
    }
    try OutputFile.write(export.text + [UInt8(ascii: "\n")], to: path, isSecret: true)
    guard path != "-" else { return }
    guard arguments.asksForJSON else {
      return try Output.write(export.exported.map { (id) in "exported  \(id)\n" }.joined())
    }
    try Output.writeObject { (object) in
      object.write("path", .string(path))
      object.writeArray("exported") { (ids) in for id in export.exported { ids.write(.base64URL(id.bytes)) } }
      ExchangeReport.write(export.excluded, to: &object)
      ExchangeReport.write("leftOutMembers", export.leftOutMembers, to: &object)
      ExchangeReport.writeAlgorithms(of: export, to: &object)
    }
  }
}
