// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Tells authenticators which of a user's credentials are accepted: they delete or hide *every other one*
/// (`AllAcceptedCredentialsOptions`, WebAuthn §5.1.10.3).
///
/// It tells what credentials a user has, so it is for that user alone, signed in (§14.6.3). One that was forgotten in the
/// list is lost, perhaps for good: a relying party makes the list from what it has stored.
public struct AcceptedCredentialsSignal: Hashable, Sendable {
  /// The scope of the credentials.
  public let relyingPartyID: RelyingPartyID

  /// The user.
  public let user: UserHandle

  /// All that are accepted.
  public let credentialIDs: [CredentialID]

  /// Names all credentials that are accepted; with none, no authenticator keeps any.
  public init(relyingPartyID: RelyingPartyID, user: UserHandle, credentialIDs: [CredentialID]) {
    self.relyingPartyID = relyingPartyID
    self.user = user
    self.credentialIDs = credentialIDs
  }
}

extension AcceptedCredentialsSignal {
  /// Reads JSON text; what is not known in it is passed over.
  public init(json: Bytes) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .signal))
  }

  /// What `PublicKeyCredential.signalAllAcceptedCredentials()` takes, as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension AcceptedCredentialsSignal: Codable {
  /// Reads what ``init(json:)`` reads, from any decoder; a `DecodingError` carries the ``FormatError`` under it.
  public init(from decoder: any Decoder) throws {
    try self.init(members: CodingMemberReader(decoder, as: .signal))
  }

  /// Writes what ``json`` has, to any encoder.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension AcceptedCredentialsSignal {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
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
