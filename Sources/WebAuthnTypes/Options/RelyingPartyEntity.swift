// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Who asks for a credential (`PublicKeyCredentialRpEntity`, WebAuthn §5.4.2).
public struct RelyingPartyEntity: Hashable, Sendable {
  /// The scope of the credential; where it is missing, a client takes the domain of the origin.
  public var id: RelyingPartyID?

  /// What people call the relying party.
  public var name: String

  /// Names a relying party.
  public init(id: RelyingPartyID?, name: String) {
    self.id = id
    self.name = name
  }

  init<Reader: MemberReader>(_ members: Reader) throws(Reader.Failure) {
    id = try members.relyingPartyIDIfPresent("id")
    name = try members.text("name")
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.writeIfPresent("id", text: id?.text)
    try writer.write("name", text: name)
  }
}
