// SPDX-License-Identifier: Apache-2.0

/// A credential that exists (`PublicKeyCredentialDescriptor`, WebAuthn §5.8.3).
public struct CredentialDescriptor: Hashable, Sendable {
  /// The type of the credential.
  public var type: CredentialType

  /// The credential's id.
  public var id: CredentialID

  /// By which ways its authenticator can be reached; empty where that is not known.
  public var transports: [AuthenticatorTransport]

  /// Names a credential.
  public init(type: CredentialType = .publicKey, id: CredentialID, transports: [AuthenticatorTransport] = []) {
    self.type = type
    self.id = id
    self.transports = transports
  }

  init<Reader: MemberReader>(_ members: Reader) throws(Reader.Failure) {
    type = CredentialType(rawValue: try members.text("type"))
    id = try members.value("id")
    transports = try members.names("transports")
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("type", text: type.rawValue)
    try writer.write("id", bytes: id.bytes)
    try writer.writeUnlessEmpty("transports", names: transports)
  }
}
