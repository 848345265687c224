// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What could be read of a document that ``CredentialExport`` made, or somebody in its form.
///
/// Each credential is held to everything that a registration would have held it to and that can still be seen. One that
/// does not stand up is refused alone, with its place and what is wrong with it.
public struct CredentialImport: Sendable {
  /// Those that stand up, in the document's order.
  public let credentials: [StoredCredential]

  /// Those that do not.
  public let refused: [Refusal]

  // 64 MiB [some 30,000 credentials with their attestation; whoever moves more does so in parts, or says how much]
  /// The longest document that is read when the caller names no limit.
  public static let maximumByteCount = 1 << 26

  /// A credential that was not taken.
  public struct Refusal: Sendable {
    /// Which one, from 0.
    public let index: Int

    /// Its id, where that could be read.
    public let credentialID: CredentialID?

    /// What is wrong with it.
    public let error: CeremonyError
  }

  /// Reads a document. What is wrong with the document as a whole is thrown; what is wrong with a credential is not.
  ///
  /// `relyingPartyID` is whose store this is: a credential of another is refused. One that does not say is taken for this
  /// one's, and its record says so from now on.
  public init(
    json: Bytes, for relyingPartyID: RelyingPartyID, maximumByteCount: Int = Self.maximumByteCount
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
    var refused: [Refusal] = []
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
        refused.append(Refusal(index: index, credentialID: portable.id, error: error))
      }
    }
    self.credentials = credentials
    self.refused = refused
  }
}
