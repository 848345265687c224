// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reference to an existing credential (`PublicKeyCredentialDescriptor`, WebAuthn §5.8.3).
public struct CredentialDescriptor: Hashable, Sendable {
  /// The type of the credential.
  package var type: CredentialType

  /// The credential ID.
  public var id: CredentialID

  /// The transports of its authenticator; empty if unknown.
  package var transports: [AuthenticatorTransport]

  /// Creates a descriptor of a public key credential.
  public init(id: CredentialID, transports: [AuthenticatorTransport] = []) {
    self.init(type: .publicKey, id: id, transports: transports)
  }

  /// Creates a descriptor of a credential of any type.
  package init(type: CredentialType, id: CredentialID, transports: [AuthenticatorTransport] = []) {
    self.type = type
    self.id = id
    self.transports = transports
  }

  init(_ members: JSONMemberReader) throws(FormatError) {
    type = CredentialType(rawValue: try members.text("type"))
    id = try members.value("id")
    transports = try members.names("transports")
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.write("type", type.rawValue)
    writer.write("id", .base64URL(id.bytes))
    writer.writeUnlessEmpty("transports", names: transports)
  }
}

extension JSONMemberReader {
  func descriptors(_ name: String) throws(FormatError) -> [CredentialDescriptor] {
    var descriptors: [CredentialDescriptor] = []
    for descriptor in try objectsIfPresent(name) ?? [] { descriptors.append(try CredentialDescriptor(descriptor)) }
    return descriptors
  }
}

extension JSONObjectWriter {
  mutating func writeUnlessEmpty(_ name: String, descriptors: [CredentialDescriptor]) {
    guard !descriptors.isEmpty else { return }
    writeObjects(name, descriptors) { descriptor, inside in descriptor.write(into: &inside) }
  }
}
