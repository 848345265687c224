// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

/// The result of reading a document in the format of ``CredentialExport``.
///
/// Each credential must pass every check of a registration that is still possible. One that fails is refused
/// individually, with its index and the error.
public struct CredentialImport: Sendable {
  /// The valid credentials, in the document's order.
  public let credentials: [StoredCredential]

  /// The refused credentials: the index in the document, from 0, the credential ID if it is readable, and the reason.
  public let refused: [(index: Int, credentialID: CredentialID?, error: CeremonyError)]

  /// Reads a document. An error of one credential adds it to ``refused``.
  ///
  /// `relyingPartyID` is the RP ID of the importing store: a credential of another RP ID is refused. A record without
  /// an RP ID gets this one.
  ///
  /// The default limit of 64 MiB is enough for about 30,000 credentials with attestation.
  ///
  /// - Throws: `credential-import.malformed` or `credential-import.version-unknown`, for the document as a whole.
  public init(
    json: [UInt8], for relyingPartyID: RelyingPartyID, maximumByteCount: Int = 1 << 26
  ) throws(CeremonyError) {
    let elements: JSONElements
    let version: Int
    do throws(WireError) {
      let document = try JSON.parse(JSON.withoutByteOrderMark(json), maximumSize: maximumByteCount)
      let format = try document.require("format")
      guard try format.string == CredentialExport.format else { throw WireError(.jsonWrongType, at: format.offset) }
      version = try document.require("version").integer()
      elements = try document.require("credentials").array
    } catch {
      throw CeremonyError(.importMalformed, cause: .format(FormatError(.credentialRecordMalformed, error)))
    }
    guard version == CredentialExport.version else {
      throw CeremonyError(
        .importVersionUnknown, .init("version \(CredentialExport.version)", "version \(version)"))
    }
    var credentials: [StoredCredential] = []
    var refused: [(index: Int, credentialID: CredentialID?, error: CeremonyError)] = []
    var known: Set<CredentialID> = []
    for (index, element) in elements.enumerated() {
      let portable = PortableCredential(element)
      do throws(CeremonyError) {
        let credential = try portable.read(for: relyingPartyID)
        guard known.insert(credential.record.id).inserted else {
          throw CeremonyError(.importCredentialRepeated, .init("each credential once", "\(credential.record.id)"))
        }
        credentials.append(credential)
      } catch {
        refused.append((index, portable.id, error))
      }
    }
    self.credentials = credentials
    self.refused = refused
  }
}
