// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// For whom a credential is (`PublicKeyCredentialUserEntity`, WebAuthn §5.4.3).
public struct UserEntity: Hashable, Sendable {
  /// What the relying party calls the account; it says nothing about the person.
  public var id: UserHandle

  /// What tells the account from others of the same person, such as an e-mail address.
  public var name: String

  /// What the person wants to be called; it may be empty.
  public var displayName: String

  /// Names an account.
  public init(id: UserHandle, name: String, displayName: String) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }

  init<Reader: MemberReader>(_ members: Reader) throws(Reader.Failure) {
    id = try members.value("id")
    name = try members.text("name")
    displayName = try members.text("displayName")
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("id", bytes: id.bytes)
    try writer.write("name", text: name)
    try writer.write("displayName", text: displayName)
  }
}
