// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A signal that the relying party does not accept a credential; authenticators delete or hide it
/// (`UnknownCredentialOptions`, WebAuthn §5.1.10.2).
///
/// It names only the credential that the caller has just presented, so it may be sent to a user who is not signed in.
public struct UnknownCredentialSignal: JSONRepresentable, Hashable, Sendable {
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
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json[...], as: .signal))
  }

  /// The JSON text for `PublicKeyCredential.signalUnknownCredential()`.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }

  /// Writes the members of ``json`` into an object, for a message that contains the signal.
  package func writeMembers(to object: inout JSONObjectWriter) {
    write(into: &object)
  }
}

extension UnknownCredentialSignal: Codable {
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

extension UnknownCredentialSignal {
  private init<Reader: MessageReader>(members: Reader) throws(Reader.Failure) {
    relyingPartyID = try members.relyingPartyID("rpId")
    credentialID = try members.value("credentialId")
  }

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("rpId", text: relyingPartyID.text)
    try writer.write("credentialId", bytes: credentialID.bytes)
  }
}
