// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// The options that a server sent, from a file or built from the challenge alone.
///
/// A file has PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON, alone or as the member
/// `publicKey` of the argument of `navigator.credentials`.
enum OptionsSource {
  case file(String)
  case challenge([UInt8], relyingPartyID: RelyingPartyID)

  /// Reads `--options` or `--challenge`.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    switch (arguments["--options"], arguments["--challenge"]) {
    case (let path?, nil): self = .file(path)
    case (nil, let text?):
      guard let challenge = try? Base64.decodeLeniently(text), !challenge.isEmpty else {
        throw .usage(
          "--challenge is not Base64url: \(text.quotedForTerminal)", hint: "copy the challenge from the options")
      }
      guard let relyingPartyID = try arguments.relyingPartyID("--rp-id") else {
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

  /// Returns the options of a registration. Options built from a challenge request every algorithm.
  func creationOptions() throws(CommandFailure) -> (options: CreationOptions, mediation: RegistrationMediation) {
    try read { (options, mediation) throws(FormatError) in
      (try CreationOptions(json: options), mediation == "conditional" ? .conditional : .modal)
    }
  }

  /// Returns the options of an authentication. Options built from a challenge name no credentials.
  func requestOptions() throws(CommandFailure) -> RequestOptions {
    try read { (options, _) throws(FormatError) in try RequestOptions(json: options) }
  }

  private func read<Options>(
    _ body: (_ options: Bytes, _ mediation: String?) throws(FormatError) -> Options
  ) throws(CommandFailure) -> Options {
    switch self {
    case .file(let path): return try Self.read(path, body)
    case .challenge(let challenge, let relyingPartyID):
      do throws(FormatError) {
        return try body(Self.options(challenge, relyingPartyID.text)[...], nil)
      } catch {
        throw .verificationFailed("--challenge: \(error)")
      }
    }
  }

  /// Returns JSON with the members of both kinds of options.
  private static func options(_ challenge: [UInt8], _ relyingPartyID: String) -> [UInt8] {
    JSON.writeObject { (options) in
      options.write("challenge", .base64URL(challenge))
      options.write("rpId", .string(relyingPartyID))
      options.writeObject("rp") { (party) in
        party.write("id", .string(relyingPartyID))
        party.write("name", .string(relyingPartyID))
      }
      options.writeObject("user") { (user) in
        user.write("id", .base64URL([0]))
        user.write("name", "")
        user.write("displayName", "")
      }
      options.writeArray("pubKeyCredParams") { (list) in
        for algorithm in supportedAlgorithms where algorithm != .rs1 {
          list.writeObject { (parameters) in
            parameters.write("type", "public-key")
            parameters.write("alg", .integer(algorithm.rawValue))
          }
        }
      }
    }
  }

  private static func read<Options>(
    _ path: String, _ body: (_ options: Bytes, _ mediation: String?) throws(FormatError) -> Options
  ) throws(CommandFailure) -> Options {
    let text = JSON.withoutByteOrderMark(try InputFile.bytes(path)[...])
    do throws(FormatError) {
      let whole: JSONValue
      let wrapped: JSONValue?
      let mediation: String?
      do throws(WireError) {
        whole = try JSON.parse(text)
        wrapped = try whole["publicKey"]?.unlessNull
        mediation = try whole["mediation"]?.unlessNull?.string
      } catch {
        throw FormatError(.optionsMalformed, error)
      }
      return try body(wrapped?.encoded ?? text, mediation)
    } catch {
      let name = path == "-" ? "standard input" : path.quotedForTerminal
      throw .verificationFailed("\(name): \(error)", hint: "expected the options of the ceremony in JSON")
    }
  }
}
