// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A signal that the relying party does not accept a credential; authenticators delete or hide it
/// (`UnknownCredentialOptions`, WebAuthn §5.1.10.2).
///
/// It names only the credential that the caller has just presented, so it may be sent to a user who is not signed in.
package struct UnknownCredentialSignal: JSONRepresentable, Hashable, Sendable {
  /// The RP ID of the credential.
  package let relyingPartyID: RelyingPartyID

  /// The credential.
  package let credentialID: CredentialID

  /// Creates a signal.
  package init(relyingPartyID: RelyingPartyID, credentialID: CredentialID) {
    self.relyingPartyID = relyingPartyID
    self.credentialID = credentialID
  }
}

extension UnknownCredentialSignal {
  /// Parses JSON text. Unknown members are ignored.
  ///
  /// - Throws: `signal.malformed`, `signal.missing-member`, `signal.invalid-member`, or the code of an invalid
  ///   identifier.
  package init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .signal))
  }

  /// The JSON text for `PublicKeyCredential.signalUnknownCredential()`.
  package var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in writeMembers(to: &object) }
  }
}

extension UnknownCredentialSignal {
  private init(members: JSONMemberReader) throws(FormatError) {
    relyingPartyID = try members.relyingPartyID("rpId")
    credentialID = try members.value("credentialId")
  }

  /// Writes the members of ``json`` into an object, for a message that contains the signal.
  package func writeMembers(to writer: inout JSONObjectWriter) {
    writer.write("rpId", relyingPartyID.text)
    writer.write("credentialId", .base64URL(credentialID.bytes))
  }
}
