// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient
internal import WebAuthnInspection
internal import WebAuthnTypes

/// `passkey get`
enum GetCommand: Command {
  private static let user = Option(
    "--user", "NAME",
    help:
      "whose passkey to use if the device has several: a user name, or a user handle for devices that do not show names"
  )

  static let specification = CommandSpecification(
    name: "get",
    summary: "sign in with a passkey, like navigator.credentials.get()",
    arguments: "--origin ORIGIN [OPTION…] [FILE|-]",
    discussion: [
      """
      FILE contains the options that a server sent to begin a sign-in: PublicKeyCredentialRequestOptionsJSON, alone or \
      as the member publicKey. Writes only the response for the server to standard output.
      """,
      """
      Reads the options as a browser does: a null rpId is the text "null", and a null list a TypeError. Refuses what \
      only Chromium refuses, such as more than 64 passkeys.
      """,
      """
      If the options name no credential and several match, asks at the terminal; --user selects one without a \
      question.
      """,
      TerminalClientInteraction.ownersYes,
      """
      Exit codes: 0 done, 1 the options cannot be read, 2 invalid usage, 5 refused by the user, the device or the \
      origin rules, 6 the vault cannot be opened, 130 cancelled with Ctrl-C.
      """,
    ],
    positionalCount: 0...1,
    options: CeremonyArguments.options
      + [user] + DeviceChoice.options + TerminalClientInteraction.options + [.json, .help],
    examples: [
      .init(
        command: "passkey get --origin https://raxx.app < options.json > response.json",
        meaning: "sign in with a passkey of the vault after the user confirms at the terminal"),
      .init(
        command: "passkey get --origin https://raxx.app --yes --vault ci.vault options.json",
        meaning: "sign in from a pipeline, without a question"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let ceremony = try CeremonyArguments(arguments)
    var asked = try ceremony.options(for: .authentication) { (json) throws(ClientError) in
      try RequestOptions(asReadByBrowser: json)
    }
    asked.relyingPartyID = try ceremony.relyingPartyID(asked.relyingPartyID)
    let options = asked
    try ceremony.perform(
      { (client) async throws(ClientError) in try await client.get(options).json },
      userName: arguments[user])
  }
}
