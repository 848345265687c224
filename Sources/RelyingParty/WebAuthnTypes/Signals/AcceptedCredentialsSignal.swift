// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A signal that lists all accepted credentials of a user; authenticators delete or hide *every other one*
/// (`AllAcceptedCredentialsOptions`, WebAuthn §5.1.10.3).
///
/// It discloses the user's credentials, so send it only to that user after sign-in (§14.6.3). A credential missing from
/// the list may be deleted permanently, so create the list from the stored records.
public struct AcceptedCredentialsSignal: JSONRepresentable, Hashable, Sendable {
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
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json[...], as: .signal))
  }

  /// The JSON text for `PublicKeyCredential.signalAllAcceptedCredentials()`.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension AcceptedCredentialsSignal: Codable {
  /// Decodes the value of ``init(json:)`` from any decoder.
  ///
  /// - Throws: A `DecodingError` with a ``FormatError`` as its underlying error, or an error of the decoder.
  public init(from decoder: any Decoder) throws {
    try self.init(members: CodingMemberReader(decoder, as: .signal))
  }

  /// Encodes the content of ``json`` with any encoder.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension AcceptedCredentialsSignal {
  private init<Reader: MessageReader>(members: Reader) throws(Reader.Failure) {
    relyingPartyID = try members.relyingPartyID("rpId")
    user = try members.value("userId")
    credentialIDs = try members.values("allAcceptedCredentialIds")
  }

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("rpId", text: relyingPartyID.text)
    try writer.write("userId", bytes: user.bytes)
    try writer.write("allAcceptedCredentialIds", texts: credentialIDs.map(\.description))
  }
}
