// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A signal with a user's current names; authenticators update them (`CurrentUserDetailsOptions`, WebAuthn §5.1.10.4).
public struct UserDetailsSignal: JSONRepresentable, Hashable, Sendable {
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
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json[...], as: .signal))
  }

  /// The JSON text for `PublicKeyCredential.signalCurrentUserDetails()`.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension UserDetailsSignal: Codable {
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

extension UserDetailsSignal {
  private init<Reader: MessageReader>(members: Reader) throws(Reader.Failure) {
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
