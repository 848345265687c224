// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A signal with a user's current names; authenticators update them (`CurrentUserDetailsOptions`, WebAuthn §5.1.10.4).
package struct UserDetailsSignal: JSONRepresentable, Hashable, Sendable {
  /// The RP ID of the user's credentials.
  package let relyingPartyID: RelyingPartyID

  /// The user account, with its current names.
  package let user: UserEntity

  /// Creates a signal.
  package init(relyingPartyID: RelyingPartyID, user: UserEntity) {
    self.relyingPartyID = relyingPartyID
    self.user = user
  }
}

extension UserDetailsSignal {
  /// Parses JSON text. Unknown members are ignored.
  ///
  /// - Throws: `signal.malformed`, `signal.missing-member`, `signal.invalid-member`, or the code of an invalid
  ///   identifier.
  package init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .signal))
  }

  /// The JSON text for `PublicKeyCredential.signalCurrentUserDetails()`.
  package var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension UserDetailsSignal {
  private init(members: JSONMemberReader) throws(FormatError) {
    relyingPartyID = try members.relyingPartyID("rpId")
    user = UserEntity(
      id: try members.value("userId"), name: try members.text("name"), displayName: try members.text("displayName"))
  }

  private func write(into writer: inout JSONObjectWriter) {
    writer.write("rpId", relyingPartyID.text)
    writer.write("userId", .base64URL(user.id.bytes))
    writer.write("name", user.name)
    writer.write("displayName", user.displayName)
  }
}
