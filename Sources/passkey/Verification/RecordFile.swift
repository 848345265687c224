// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// What a relying party stored: a document of credentials, of which often there is one.
enum RecordFile {
  // 8 MiB  [some thousands of credentials with their attestation]
  private static let maximumByteCount = 8 << 20

  static func path(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
    guard let path = arguments["--record"] else {
      throw .usage(
        "--record is missing", hint: "name the file that passkey verify --registration … --record-out FILE wrote")
    }
    return path
  }

  /// The credential that a response names; where the file has only one, that one, so that the ceremony can say what is
  /// wrong with it.
  static func credential(
    _ id: CredentialID?, in path: String, for relyingPartyID: RelyingPartyID
  ) throws(CommandFailure) -> StoredCredential {
    let name = path == "-" ? "standard input" : path.quotedForTerminal
    let text = try InputFile.bytes(path, limit: maximumByteCount)
    let imported: CredentialImport
    do throws(CeremonyError) {
      imported = try CredentialImport(json: text[...], for: relyingPartyID, maximumByteCount: maximumByteCount)
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
      "\(name): none of \(imported.credentials.count) credentials is \(id?.description ?? "named")")
  }

  /// The document of one credential.
  static func write(_ credential: StoredCredential, to path: String) throws(CommandFailure) {
    try OutputFile.write(CredentialExport([credential]).json + [UInt8(ascii: "\n")], to: path)
  }
}
