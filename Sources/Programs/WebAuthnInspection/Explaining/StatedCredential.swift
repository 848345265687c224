// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
package import WebAuthnRelyingParty
package import WebAuthnTypes

/// The stored credential of an authentication as a person states it: by a document of records, or by its public key alone.
package enum StatedCredential {
  /// A document of records, in JSON.
  case records([UInt8])
  /// The COSE key and, if it is known, the user.
  case publicKey([UInt8], UserHandle?)

  /// The reason why there is no such credential, with a hint.
  package struct Unusable: Error {
    package let message: String
    package let hint: String?
  }

  // 8 MiB  [some thousands of credentials with their attestation]
  /// The size of the largest document of records.
  package static let maximumByteCount = 8 << 20

  /// Reads a document of records or a public key; nil if the text is neither.
  init?(text: String) {
    if let key = Self.publicKey(text) {
      self = .publicKey(key, nil)
    } else if text.hasPrefix("{") {
      self = .records([UInt8](text.utf8))
    } else {
      return nil
    }
  }

  /// Decodes a COSE key from base64url or hex; nil if the text has none.
  package static func publicKey(_ text: String) -> [UInt8]? {
    // Hex digits are valid base64url too, so a key in either form is tried.
    let candidates = [try? Hex.decode(text), try? Base64.decodeLeniently(text)].compactMap(\.self)
    return candidates.first { (key) in (try? COSEKey(parsing: key)) != nil }
  }

  /// Returns the stored credential, and whether its user is known. A credential from a public key takes its ID, backup
  /// eligibility and, unless the user is given, its user from the response.
  package func credential(
    for response: AuthenticationResponse?, relyingPartyID: RelyingPartyID
  ) throws(Unusable) -> (stored: StoredCredential, isUserKnown: Bool) {
    switch self {
    case .records(let text): return (try Self.credential(response?.id, in: text, for: relyingPartyID), true)
    case .publicKey(let key, let given):
      let data = response.flatMap { try? AuthenticatorData(parsing: $0.authenticatorData) }
      let user = given ?? response?.userHandle
      do throws(FormatError) {
        let id = if let id = response?.id { id } else { try CredentialID([0]) }
        // A user who is not known has a placeholder, which is neither shown nor stored.
        let handle = if let user { user } else { try UserHandle([0]) }
        let stored = StoredCredential(
          user: handle,
          record: CredentialRecord(
            id: id, publicKey: key, signCount: 0, uvInitialized: true,
            transports: [], backupEligible: data?.flags.contains(.backupEligible) ?? false, backupState: false))
        return (stored, user != nil)
      } catch {
        throw Unusable(message: "\(error)", hint: nil)
      }
    }
  }

  /// Returns the credential that a response names. A document with one credential yields that one, so that the ceremony
  /// reports the mismatch.
  private static func credential(
    _ id: CredentialID?, in text: [UInt8], for relyingPartyID: RelyingPartyID
  ) throws(Unusable) -> StoredCredential {
    let imported: CredentialImport
    do throws(CeremonyError) {
      imported = try CredentialImport(json: text, for: relyingPartyID, maximumByteCount: maximumByteCount)
    } catch {
      throw Unusable(message: "\(error)", hint: "a document of credentials has a format, a version and credentials")
    }
    if let only = imported.credentials.first, imported.credentials.count == 1 { return only }
    if let found = imported.credentials.first(where: { $0.record.id == id }) { return found }
    if let refusal = imported.refused.first(where: { $0.credentialID == id }) ?? imported.refused.first {
      throw Unusable(message: "credential \(refusal.index): \(refusal.error)", hint: nil)
    }
    throw Unusable(
      message: "no credential has the ID of the response, \(id?.description ?? "which is malformed")", hint: nil)
  }
}
