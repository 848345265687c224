// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Tells authenticators what a user is called now (`CurrentUserDetailsOptions`, WebAuthn §5.1.10.4).
public struct UserDetailsSignal: Hashable, Sendable {
  /// The scope of the user's credentials.
  public let relyingPartyID: RelyingPartyID

  /// The user, by the handle that does not change and the names that did.
  public let user: UserEntity

  /// Names a user.
  public init(relyingPartyID: RelyingPartyID, user: UserEntity) {
    self.relyingPartyID = relyingPartyID
    self.user = user
  }
}

extension UserDetailsSignal {
  /// Reads JSON text; what is not known in it is passed over.
  public init(json: Bytes) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .signal))
  }

  /// What `PublicKeyCredential.signalCurrentUserDetails()` takes, as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension UserDetailsSignal: Codable {
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

extension UserDetailsSignal {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
    relyingPartyID = try members.relyingPartyID("rpId")
    user = UserEntity(
      id: try members.value("userId"), name: try members.text("name"), displayName: try members.text("displayName"))
  }

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("rpId", text: relyingPartyID.text)
    try writer.write("userId", bytes: user.id.bytes)
    try writer.write("name", text: user.name)
    try writer.write("displayName", text: user.displayName)
  }
}
