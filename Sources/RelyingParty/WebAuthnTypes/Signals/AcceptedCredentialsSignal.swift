// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A signal that lists all accepted credentials of a user; authenticators delete or hide *every other one*
/// (`AllAcceptedCredentialsOptions`, WebAuthn §5.1.10.3).
///
/// It discloses the user's credentials, so send it only to that user after sign-in (§14.6.3). A credential missing from
/// the list may be deleted permanently, so create the list from the stored records.
package struct AcceptedCredentialsSignal: JSONRepresentable, Hashable, Sendable {
  /// The RP ID of the credentials.
  package let relyingPartyID: RelyingPartyID

  /// The user.
  package let user: UserHandle

  /// All accepted credentials.
  package let credentialIDs: [CredentialID]

  /// Creates a signal. With an empty list, authenticators remove all credentials of the user.
  package init(relyingPartyID: RelyingPartyID, user: UserHandle, credentialIDs: [CredentialID]) {
    self.relyingPartyID = relyingPartyID
    self.user = user
    self.credentialIDs = credentialIDs
  }
}

extension AcceptedCredentialsSignal {
  /// Parses JSON text. Unknown members are ignored.
  ///
  /// - Throws: `signal.malformed`, `signal.missing-member`, `signal.invalid-member`, or the code of an invalid
  ///   identifier.
  package init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .signal))
  }

  /// The JSON text for `PublicKeyCredential.signalAllAcceptedCredentials()`.
  package var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension AcceptedCredentialsSignal {
  private init(members: JSONMemberReader) throws(FormatError) {
    relyingPartyID = try members.relyingPartyID("rpId")
    user = try members.value("userId")
    credentialIDs = try members.values("allAcceptedCredentialIds")
  }

  private func write(into writer: inout JSONObjectWriter) {
    writer.write("rpId", relyingPartyID.text)
    writer.write("userId", .base64URL(user.bytes))
    writer.write("allAcceptedCredentialIds", texts: credentialIDs.map(\.description))
  }
}
