// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// The stored credential of an authentication: from a record, or from its public key alone.
enum CredentialSource {
  case record(String)
  /// The key and, if it is known, the user.
  case publicKey([UInt8], UserHandle?)

  /// Reads `--record` or `--public-key`.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let text = arguments["--public-key"] else {
      self = .record(try RecordFile.path(arguments))
      return
    }
    guard !arguments.has("--record") else {
      throw .usage("--record and --public-key cannot be combined", hint: "the record contains the public key")
    }
    // Hex digits are valid base64url too, so a COSE key in either form is tried.
    let candidates = [try? Hex.decode(text), try? Base64.decodeLeniently(text)].compactMap(\.self)
    guard let key = candidates.first(where: { (try? COSEKey(parsing: $0[...])) != nil }) else {
      throw .usage(
        "--public-key is not a COSE key in base64url or hex", hint: "find the error with passkey inspect --as cose-key")
    }
    self = .publicKey(key, try UserHandleOption.handle(arguments))
  }

  /// Returns the stored credential, and whether its user is known. A credential from a public key takes its ID, backup
  /// eligibility and, unless an option names it, its user from the response.
  func credential(
    for response: AuthenticationResponse?, relyingPartyID: RelyingPartyID
  ) throws(CommandFailure) -> (stored: StoredCredential, isUserKnown: Bool) {
    switch self {
    case .record(let path): return (try RecordFile.credential(response?.id, in: path, for: relyingPartyID), true)
    case .publicKey(let key, let given):
      let data = response.flatMap { try? AuthenticatorData(parsing: $0.authenticatorData) }
      let user = given ?? response?.userHandle
      let handle = if let user { user } else { try UserHandleOption.placeholder() }
      do throws(FormatError) {
        let id = if let id = response?.id { id } else { try CredentialID([0]) }
        let stored = StoredCredential(
          user: handle,
          record: CredentialRecord(
            id: id, publicKey: key[...], signCount: 0, uvInitialized: true,
            transports: [], backupEligible: data?.flags.contains(.backupEligible) ?? false, backupState: false))
        return (stored, user != nil)
      } catch {
        throw .verificationFailed("\(error)")
      }
    }
  }
}

/// A document of stored credentials.
enum RecordFile {
  // 8 MiB  [some thousands of credentials with their attestation]
  private static let maximumByteCount = 8 << 20

  static func path(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
    guard let path = arguments["--record"] else {
      throw .usage(
        "--record is missing",
        hint: "name the file written by passkey verify --registration … --record-out FILE, or give --public-key")
    }
    return path
  }

  /// Returns the credential that a response names. A file with one credential yields that one, so that the ceremony reports
  /// the mismatch.
  static func credential(
    _ id: CredentialID?, in path: String, for relyingPartyID: RelyingPartyID
  ) throws(CommandFailure) -> StoredCredential {
    let name = InputFile.name(path)
    let text = try InputFile.bytes(path, limit: maximumByteCount)
    let imported: CredentialImport
    do throws(CeremonyError) {
      imported = try CredentialImport(json: text, for: relyingPartyID, maximumByteCount: maximumByteCount)
    } catch {
      throw .verificationFailed(
        "\(name): \(error)", hint: "a document of credentials has a format, a version and credentials")
    }
    if let only = imported.credentials.first, imported.credentials.count == 1 { return only }
    if let found = imported.credentials.first(where: { $0.record.id == id }) { return found }
    if let refusal = imported.refused.first(where: { $0.credentialID == id }) ?? imported.refused.first {
      throw .verificationFailed("\(name): credential \(refusal.index): \(refusal.error)")
    }
    throw .verificationFailed(
      "\(name): no credential has the ID of the response, \(id?.description ?? "which is malformed")")
  }

  /// Writes a document with one credential.
  static func write(_ credential: StoredCredential, to path: String) throws(CommandFailure) {
    try OutputFile.write(CredentialExport([credential]).json + [UInt8(ascii: "\n")], to: path)
  }
}
