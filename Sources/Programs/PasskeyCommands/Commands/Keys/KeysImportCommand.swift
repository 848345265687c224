// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys import FILE`
enum KeysImportCommand: Command {
  private static let account = Option(
    "--account", "NAME",
    help: "import only the account with this id, user name or email address (all accounts)")

  static let specification = CommandSpecification(
    name: "keys import",
    summary: "import passkeys from another vault or provider",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      FILE is in FIDO's Credential Exchange Format 1.0, as keys export and other providers write it. Imports all \
      passkeys with the state of their extensions, and lists what it left out: passkeys with the reason, and other \
      credentials and members by name and number. An import never replaces a passkey.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [account] + PasskeyOptions.options,
    examples: [
      .init(command: "passkey keys import export.json", meaning: "import the passkeys of another vault or provider")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let vault = try VaultLocation(arguments)
    let file = try credentialExchangeFile(arguments)
    guard file.accounts.contains(where: { (account) in account.hasPasskeys }) else {
      ExchangeReport.note(file)
      throw .inputOutput("\(InputFile.name(arguments.positionals[0])) contains no passkeys")
    }
    let result = try OwnedVault(vault).perform { (owner) throws(CTAPError) in
      try owner.add(file, at: Clock.now)
    }
    ExchangeReport.note(result.excluded)
    ExchangeReport.note(file)
    guard !result.imported.isEmpty else { throw .refused("no passkey was imported") }
    guard arguments.asksForJSON else {
      return try Output.write(result.imported.map { (id) in "imported  \(id)\n" }.joined())
    }
    try Output.writeObject { (object) in
      object.writeArray("imported") { (ids) in for id in result.imported { ids.write(.base64URL(id.bytes)) } }
      ExchangeReport.write(result.excluded, to: &object)
      ExchangeReport.write("otherCredentials", file.otherCredentials, to: &object)
      ExchangeReport.write("leftOutMembers", file.allLeftOutMembers, to: &object)
    }
  }

  private static func credentialExchangeFile(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> CredentialExchangeFile {
    let text = try InputFile.bytes(arguments.positionals[0], limit: CredentialExchangeFile.maximumByteCount)
    let file = try mapError(CredentialExchangeFile(parsing: text)) { (error: CredentialExchangeError) in
      CommandFailure.inputOutput(
        "\(InputFile.name(arguments.positionals[0])) is not in the Credential Exchange Format: "
          + error.description.escapedForTerminal,
        hint: "export such a file with passkey keys export, or from another provider"
      ).coded(error.code.rawValue)
    }
    guard let name = arguments[account] else { return file }
    let chosen = file.withAccounts(named: name)
    guard chosen.accounts.isEmpty else { return chosen }
    let names = file.accounts.compactMap(\.name).map(\.quotedForTerminal).joined(separator: ", ")
    throw .refused(
      "\(InputFile.name(arguments.positionals[0])) has no account \(name.quotedForTerminal)",
      hint: names.isEmpty ? "omit --account" : "its accounts are \(names)")
  }
}

extension CredentialExchangeFile.Account {
  fileprivate var hasPasskeys: Bool { !passkeys.isEmpty || !excludedPasskeys.isEmpty }

  /// The name by which a person recognizes the account.
  fileprivate var name: String? { [userName, email, id].compactMap(\.self).first { (name) in !name.isEmpty } }
}
