// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The user account of a credential (`PublicKeyCredentialUserEntity`, WebAuthn §5.4.3).
public struct UserEntity: Hashable, Sendable {
  /// The account's identifier, which contains no personal data.
  public var id: UserHandle

  /// The account name, such as an email address. It distinguishes accounts of one person.
  public var name: String

  /// The name to display; it may be empty.
  public var displayName: String

  /// Creates a user entity.
  public init(id: UserHandle, name: String, displayName: String) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }

  init(_ members: JSONMemberReader) throws(FormatError) {
    id = try members.value("id")
    name = try members.text("name")
    displayName = try members.text("displayName")
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.write("id", .base64URL(id.bytes))
    writer.write("name", name)
    writer.write("displayName", displayName)
  }
}

/// The relying party of a credential (`PublicKeyCredentialRpEntity`, WebAuthn §5.4.2).
package struct RelyingPartyEntity: Hashable, Sendable {
  /// The RP ID. If it is nil, the client uses the domain of the origin.
  package var id: RelyingPartyID?

  /// The display name.
  public var name: String

  /// Creates a relying party entity.
  package init(id: RelyingPartyID?, name: String) {
    self.id = id
    self.name = name
  }

  init(_ members: JSONMemberReader) throws(FormatError) {
    id = try members.relyingPartyIDIfPresent("id")
    name = try members.text("name")
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.writeIfPresent("id", text: id?.text)
    writer.write("name", name)
  }
}
