// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Tells authenticators that a credential is not known here (any more): they delete or hide it (`UnknownCredentialOptions`,
/// WebAuthn §5.1.10.2).
///
/// It names one credential, which whoever receives it had named before: so it may be sent to somebody who is not signed in.
public struct UnknownCredentialSignal: Hashable, Sendable {
  /// The scope of the credential.
  public let relyingPartyID: RelyingPartyID

  /// The credential.
  public let credentialID: CredentialID

  /// Names a credential.
  public init(relyingPartyID: RelyingPartyID, credentialID: CredentialID) {
    self.relyingPartyID = relyingPartyID
    self.credentialID = credentialID
  }
}

extension UnknownCredentialSignal {
  /// Reads JSON text; what is not known in it is passed over.
  public init(json: Bytes) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .signal))
  }

  /// What `PublicKeyCredential.signalUnknownCredential()` takes, as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension UnknownCredentialSignal: Codable {
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

extension UnknownCredentialSignal {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
    relyingPartyID = try members.relyingPartyID("rpId")
    credentialID = try members.value("credentialId")
  }

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("rpId", text: relyingPartyID.text)
    try writer.write("credentialId", bytes: credentialID.bytes)
  }
}
