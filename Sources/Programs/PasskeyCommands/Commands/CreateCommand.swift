// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient
internal import WebAuthnInspection
internal import WebAuthnTypes

/// `passkey create`
enum CreateCommand: Command {
  static let specification = CommandSpecification(
    name: "create",
    summary: "create a passkey, like navigator.credentials.create()",
    arguments: "--origin ORIGIN [OPTION…] [FILE|-]",
    discussion: [
      """
      FILE contains the options that a server sent to begin a registration: PublicKeyCredentialCreationOptionsJSON, \
      alone or as the member publicKey. Writes only the response for the server to standard output.
      """,
      """
      Reads the options as a browser does: a null name is the text "null", and a null list a TypeError. Refuses what \
      only Chromium refuses, such as more than 64 excluded passkeys.
      """,
      """
      Performs the browser's checks: whether the origin may use the RP ID, what the device supports, and which \
      passkeys it has. A refusal names the exception that a page would receive. The passkey is stored in the vault, \
      which is created if it is missing, or on the device named by --device. If the response cannot be written, the \
      passkey is deleted again.
      """,
      TerminalClientInteraction.ownersYes,
      """
      Exit codes: 0 done, 1 the options cannot be read, 2 invalid usage, 5 refused by the user, the device or the \
      origin rules, 6 the vault cannot be opened, 130 cancelled with Ctrl-C.
      """,
    ],
    positionalCount: 0...1,
    options: CeremonyArguments.options + DeviceChoice.options + TerminalClientInteraction.options + [.json, .help],
    examples: [
      .init(
        command: "passkey create --origin https://raxx.app < options.json > response.json",
        meaning: "create a passkey in the vault after the user confirms at the terminal"),
      .init(
        command: "passkey create --origin https://raxx.app --device unix:/run/user/1000/passkey options.json",
        meaning: "create a passkey on the device behind a socket"),
    ])

  static func run(_ ceremony: CeremonyArguments) throws(CommandFailure) {
    var asked = try ceremony.options(for: .registration) { (json) throws(ClientError) in
      try CreationOptions(asReadByBrowser: json)
    }
    asked.relyingParty.id = try ceremony.relyingPartyID(asked.relyingParty.id)
    let options = asked
    try ceremony.perform(
      creatingVault: true, { (client) async throws(ClientError) in try await client.create(options).json },
      userName: options.user.name)
  }
}
