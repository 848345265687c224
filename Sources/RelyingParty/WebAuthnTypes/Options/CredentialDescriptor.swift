// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reference to an existing credential (`PublicKeyCredentialDescriptor`, WebAuthn §5.8.3).
public struct CredentialDescriptor: Hashable, Sendable {
  /// The type of the credential.
  package var type: CredentialType

  /// The credential ID.
  public var id: CredentialID

  /// The transports of its authenticator; empty if unknown.
  public var transports: [AuthenticatorTransport]

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

  init<Reader: MessageReader>(_ members: Reader) throws(Reader.Failure) {
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

extension MessageReader {
  func descriptors(_ name: String) throws(Failure) -> [CredentialDescriptor] {
    var descriptors: [CredentialDescriptor] = []
    for descriptor in try objectsIfPresent(name) ?? [] { descriptors.append(try CredentialDescriptor(descriptor)) }
    return descriptors
  }
}

extension MemberWriter where Self: ~Copyable {
  mutating func writeUnlessEmpty(_ name: String, descriptors: [CredentialDescriptor]) throws(Failure) {
    guard !descriptors.isEmpty else { return }
    try writeObjects(name, count: descriptors.count) { (index, inside) throws(Failure) in
      try descriptors[index].write(into: &inside)
    }
  }
}
