// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The stored credential of an authentication: from a record, or from its public key alone.
enum CredentialSource {
  case record(String)
  /// The key and, if it is known, the user.
  case publicKey([UInt8], UserHandle?)

  /// Reads `--record` or `--public-key`.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let text = arguments[VerifyCommand.publicKey] else {
      self = .record(try RecordFile.path(arguments))
      return
    }
    guard !arguments.has(VerifyCommand.record) else {
      throw .usage("--record and --public-key cannot be combined", hint: "the record contains the public key")
    }
    guard let key = StatedCredential.publicKey(text) else {
      throw .usage(
        "--public-key is not a COSE key in base64url or hex", hint: "find the error with passkey inspect --as cose-key")
    }
    self = .publicKey(key, try UserHandleOption.handle(arguments))
  }

  /// Returns the stored credential, and whether its user is known.
  func credential(
    for response: AuthenticationResponse?, relyingPartyID: RelyingPartyID
  ) throws(CommandFailure) -> (stored: StoredCredential, isUserKnown: Bool) {
    let stated: StatedCredential
    let place: String
    switch self {
    case .record(let path):
      stated = .records(try InputFile.bytes(path, limit: StatedCredential.maximumByteCount))
      place = "\(InputFile.name(path)): "
    case .publicKey(let key, let user): (stated, place) = (.publicKey(key, user), "")
    }
    do throws(StatedCredential.Unusable) {
      return try stated.credential(for: response, relyingPartyID: relyingPartyID)
    } catch {
      throw .verificationFailed(place + error.message, hint: error.hint)
    }
  }
}

/// A document of stored credentials.
enum RecordFile {
  static func path(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
    guard let path = arguments[VerifyCommand.record] else {
      throw .usage(
        "--record is missing",
        hint: "name the file written by passkey verify --registration … --record-out FILE, or give --public-key")
    }
    return path
  }

  /// Writes a document with one credential.
  static func write(_ credential: StoredCredential, to path: String) throws(CommandFailure) {
    try OutputFile.write(CredentialExport([credential]).json + [UInt8(ascii: "\n")], to: path)
  }
}
