// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The options that a server sent, from a file or built from the challenge alone.
enum OptionsSource {
  case file(String)
  case challenge([UInt8], relyingPartyID: RelyingPartyID)

  /// Reads `--options` or `--challenge`.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    switch (arguments[VerifyCommand.serverOptions], arguments[VerifyCommand.challenge]) {
    case (let path?, nil): self = .file(path)
    case (nil, let text?):
      guard let challenge = try? Base64.decodeLeniently(text), !challenge.isEmpty else {
        throw .usage(
          "--challenge is not base64url: \(text.quotedForTerminal)", hint: "copy the challenge from the options")
      }
      guard let relyingPartyID = arguments[VerifyCommand.relyingPartyID] else {
        throw .usage("--challenge needs --rp-id", hint: "name the relying party: --rp-id raxx.app")
      }
      self = .challenge(challenge, relyingPartyID: relyingPartyID)
    case (nil, nil):
      throw .usage(
        "--options is missing", hint: "name the file with the server's options, or give --challenge and --rp-id")
    case (_?, _?):
      throw .usage("--options and --challenge cannot be combined", hint: "the options contain the challenge")
    }
  }

  /// Returns the options of a registration. Options built from a challenge request every algorithm, for `user`.
  func creationOptions(
    of user: UserHandle
  ) throws(CommandFailure) -> (options: CreationOptions, mediation: RelyingParty.RegistrationMediation) {
    switch self {
    case .file(let path):
      return try Self.read(path, for: .registration) { (document) throws(FormatError) in
        (try CreationOptions(json: document.options), document.mediation)
      }
    case .challenge(let challenge, let id):
      let options = CreationOptions(
        relyingParty: RelyingPartyEntity(id: id, name: id.text),
        user: UserEntity(id: user, name: "", displayName: ""),
        challenge: Challenge(allowingGuessableLength: challenge),
        credentialParameters: supportedAlgorithms.filter { $0 != .rs1 }.map { CredentialParameters(algorithm: $0) })
      return (options, .modal)
    }
  }

  /// Returns the options of an authentication. Options built from a challenge name only the given credential, if any.
  func requestOptions(allowing credential: CredentialID?) throws(CommandFailure) -> RequestOptions {
    switch self {
    case .file(let path):
      return try Self.read(path, for: .authentication) { (document) throws(FormatError) in
        try RequestOptions(json: document.options)
      }
    case .challenge(let challenge, let id):
      return RequestOptions(
        challenge: Challenge(allowingGuessableLength: challenge), relyingPartyID: id,
        allowCredentials: credential.map { [CredentialDescriptor(id: $0)] } ?? [])
    }
  }

  private static func read<Options>(
    _ path: String, for ceremony: VerificationCase.Ceremony,
    _ body: (OptionsDocument) throws(FormatError) -> Options
  ) throws(CommandFailure) -> Options {
    try OptionsFile.read(path, for: ceremony, failure: { .verificationFailed($0, hint: $1) }, body)
  }
}

/// The user handle from `--user-handle`.
enum UserHandleOption {
  static let option = Option(
    "--user-handle", "BASE64URL",
    help: "the user handle, for --record-out, if neither the options nor the response contain it")

  /// Returns the handle; nil without the option.
  static func handle(_ arguments: ParsedArguments) throws(CommandFailure) -> UserHandle? {
    guard let text = arguments[option] else { return nil }
    guard let bytes = try? Base64.decodeLeniently(text), let handle = try? UserHandle(bytes) else {
      throw .usage(
        "--user-handle cannot be \(text.quotedForTerminal)", hint: "write 1 to 64 bytes in base64url, such as dXNlci0x")
    }
    return handle
  }

  /// The handle to verify with while the real one is unknown. It is neither shown nor stored.
  static func placeholder() throws(CommandFailure) -> UserHandle {
    try mapError(UserHandle([0])) { (error: FormatError) in CommandFailure.verificationFailed("\(error)") }
  }
}
