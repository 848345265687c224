// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient
internal import WebAuthnInspection
internal import WebAuthnTypes

/// The arguments that `passkey create` and `passkey get` share: the origins, the RP ID and the options file.
struct CeremonyArguments: CommandArguments {
  private let origin: WebOrigin
  private let topOrigin: WebOrigin?
  private let relyingPartyID: RelyingPartyID?
  private let path: String
  private let device: DeviceChoice
  private let knownPIN: SecretBytes?

  private static let origin = Option<WebOrigin?>(
    "--origin", "ORIGIN", help: "the origin of the page, such as https://raxx.app")
  private static let topOrigin = Option<WebOrigin?>(
    "--top-origin", "ORIGIN",
    help: "the origin of the page that embeds it, if cross-origin")
  private static let relyingPartyID = Option<RelyingPartyID?>(
    "--rp-id", "DOMAIN", help: "the RP ID, if the options do not name one")

  static let options: [any OptionSpecification] = [origin, topOrigin, relyingPartyID]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let origin = arguments[Self.origin] else {
      throw .usage("--origin is missing", hint: "name the origin of the page: --origin https://raxx.app")
    }
    self.origin = origin
    topOrigin = arguments[Self.topOrigin]
    relyingPartyID = arguments[Self.relyingPartyID]
    path = arguments.positionals.first ?? "-"
    device = try DeviceChoice(arguments)
    knownPIN = try TerminalClientInteraction.knownPIN(arguments)
  }

  /// Returns the RP ID from the options, or otherwise from the command line. Throws if they differ.
  func relyingPartyID(_ named: RelyingPartyID?) throws(CommandFailure) -> RelyingPartyID? {
    guard let given = relyingPartyID else { return named }
    guard let named, named != given else { return given }
    throw .usage(
      "--rp-id is \(given), and the options say \(named)", hint: "omit --rp-id: the options name the relying party")
  }

  /// Reads the options that a server sent, either bare or in the member `publicKey`.
  func options<Options>(
    for ceremony: VerificationCase.Ceremony, _ read: (Bytes) throws(ClientError) -> Options
  ) throws(CommandFailure) -> Options {
    let json = try OptionsFile.read(
      path, for: ceremony, describe: { CommandFailure(ClientError(options: $0)).message },
      failure: { .inputOutput($0, hint: $1) }
    ) { (document) throws(FormatError) in document.options }
    return try mapError(read(json)) { (error: ClientError) in
      CommandFailure.inputOutput(
        "\(InputFile.name(path)): \(CommandFailure(error).message)", hint: OptionsFile.hint(ceremony))
    }
  }

  /// Runs a ceremony and writes its response. If the response cannot be written, deletes the new passkey again.
  func perform(
    creatingVault: Bool = false, _ ceremony: @escaping @Sendable (Client) async throws(ClientError) -> [UInt8],
    userName: String? = nil
  ) throws(CommandFailure) {
    let opener = DeviceOpener(device, for: CeremonyDescription(origin: origin, userName: userName))
    try opener.prepare(creatingVault: creatingVault)
    let device = LazyAuthenticator(opener)
    let interaction = TerminalClientInteraction(knownPIN: knownPIN, userName: userName) { device.found }
    let client = Client(origin: origin, authenticator: device, interaction: interaction, topOrigin: topOrigin)
    let response = try Blocking.wait(untilInterrupted: !SignalDisposition.isIgnored(SIGINT)) {
      () async throws(CommandFailure) in
      try await mapError(async: await ceremony(client), device.failure)
    }
    // Report a closed pipe as an ordinary write error.
    signal(SIGPIPE, SIG_IGN)
    do throws(CommandFailure) {
      try Output.write(response + [UInt8(ascii: "\n")])
    } catch {
      if let note = device.undoRegistrationWithoutResponse() { Diagnostics.passkey.note(note) }
      throw error
    }
  }
}
