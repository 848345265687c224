// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// `passkey keys import FILE`
enum KeysImportCommand: Command {
  static let specification = CommandSpecification(
    name: "keys import",
    summary: "import a passkey from another vault",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      FILE is JSON as written by keys export, with the members format ("passkey/1"), rpId, userHandle, userName, \
      userDisplayName, credentialId, algorithm and privateKey. Byte strings are base64url; the key is PKCS#8.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: PasskeyOptions.options,
    examples: [.init(command: "passkey keys import ada.json", meaning: "import the passkey in the file")])

  // 64 KiB  [an 8,192-bit RSA key needs 7 KiB]
  private static let maximumByteCount = 1 << 16

  struct Options: CommandArguments {
    fileprivate let vault: VaultLocation
    fileprivate let path: String
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      vault = try VaultLocation(arguments)
      path = arguments.positionals[0]
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let path = options.path
    let text = try InputFile.bytes(path, limit: maximumByteCount)
    let passkey: PortablePasskey
    do throws(PortablePasskeyError) {
      passkey = try PortablePasskey(json: text)
    } catch {
      throw .inputOutput(
        "\(InputFile.name(path)) contains no exported passkey: \(error.description.escapedForTerminal)",
        hint: "create such a file with passkey keys export")
    }
    try OwnedVault(options.vault).perform { (owner) throws(CTAPError) in try owner.add(passkey, at: Clock.now) }
    try PasskeyOptions.report("imported", passkey.id, asJSON: options.asJSON)
  }
}
