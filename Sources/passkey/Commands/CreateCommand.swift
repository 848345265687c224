// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// `passkey create`
enum CreateCommand: Command {
  static let specification = CommandSpecification(
    name: "create",
    summary: "make a passkey, as navigator.credentials.create() does",
    arguments: "--origin ORIGIN [OPTION…] [FILE|-]",
    discussion: [
      """
      FILE is what a server sent to begin a registration: PublicKeyCredentialCreationOptionsJSON, alone or as the member \
      publicKey. The response to send back is written to standard output, and nothing else is.
      """,
      """
      What a browser checks is checked: whether the origin may use the RP ID, what the device can and which passkeys it has. \
      A refusal names the exception that a page would see. The passkey goes into the vault, which is made where there is \
      none, or is the other device's. Where the response cannot be written it is deleted again.
      """,
      TerminalClientInteraction.ownersYes,
      """
      Exit codes: 0 done, 1 the options cannot be read, 2 the command line is not understood, 5 the user, the device or the \
      rules say no, 6 the vault cannot be opened.
      """,
    ],
    positionalCount: 0...1,
    options: CeremonyArguments.options + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(
        command: "passkey create --origin https://raxx.app < options.json > response.json",
        meaning: "a passkey in the vault, once somebody at the terminal says yes"),
      .init(
        command: "passkey create --origin https://raxx.app --device unix:/run/user/1000/passkey options.json",
        meaning: "one on the device behind a socket"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let ceremony = try CeremonyArguments(arguments)
    var asked = try ceremony.options { (json) throws(FormatError) in try CreationOptions(json: json) }
    asked.relyingParty.id = try ceremony.relyingPartyID(asked.relyingParty.id)
    let options = asked
    try ceremony.perform(makesVault: true) { (client) async throws(ClientError) in
      try await client.create(options).json
    }
  }
}
