// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// `passkey get`
enum GetCommand: Command {
  static let specification = CommandSpecification(
    name: "get",
    summary: "sign in with a passkey, as navigator.credentials.get() does",
    arguments: "--origin ORIGIN [OPTION…] [FILE|-]",
    discussion: [
      """
      FILE is what a server sent to begin a sign-in: PublicKeyCredentialRequestOptionsJSON, alone or as the member publicKey. \
      The response to send back is written to standard output, and nothing else is.
      """,
      """
      Where the options name no credential and there are several, the terminal asks which; --user says it beforehand.
      """,
      TerminalClientInteraction.ownersYes,
      """
      Exit codes: 0 done, 1 the options cannot be read, 2 the command line is not understood, 5 the user, the device or the \
      rules say no, 6 the vault cannot be opened.
      """,
    ],
    positionalCount: 0...1,
    options: CeremonyArguments.options
      + [
        OptionSpecification(
          name: "--user", value: .init(name: "NAME"),
          help: "whose passkey, where the device has several: a name, or a user handle where the device tells no names")
      ] + DeviceSource.options + TerminalClientInteraction.options + [.help],
    examples: [
      .init(
        command: "passkey get --origin https://raxx.app < options.json > response.json",
        meaning: "with a passkey of the vault, once somebody at the terminal says yes"),
      .init(
        command: "passkey get --origin https://raxx.app --yes --vault ci.vault options.json",
        meaning: "in a pipeline, where nobody is asked"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let ceremony = try CeremonyArguments(arguments)
    var asked = try ceremony.options { (json) throws(FormatError) in try RequestOptions(json: json) }
    asked.relyingPartyID = try ceremony.relyingPartyID(asked.relyingPartyID)
    let options = asked
    try ceremony.perform(
      { (client) async throws(ClientError) in try await client.get(options).json },
      userName: arguments["--user"])
  }
}
