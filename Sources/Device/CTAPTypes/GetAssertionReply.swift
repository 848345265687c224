// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// The reply to authenticatorGetAssertion and authenticatorGetNextAssertion (CTAP 2.3 §6.2.2).
package struct GetAssertionReply: ByteParsable, Sendable {
  /// 0x01: the credential that signed. An authenticator may omit it if the allow list had one entry.
  package let credential: CredentialDescriptor?

  /// 0x02: the authenticator data.
  package let authenticatorData: AuthenticatorData

  /// 0x03: the signature over the authenticator data and the client data hash.
  package let signature: Bytes

  /// 0x04: the user account. Its names are present only if the user was verified.
  package let user: PasskeyUser?

  /// 0x05: the number of matching credentials, if more than one.
  package let credentialCount: UInt64?

  /// 0x06: whether the user selected the credential on the authenticator.
  package let isSelectedByUser: Bool?

  /// 0x07: the key of the credential's large blob.
  package let largeBlobKey: Bytes?

  /// Creates a reply.
  package init(
    credential: CredentialDescriptor?, authenticatorData: AuthenticatorData, signature: some ByteSource,
    user: PasskeyUser? = nil, credentialCount: UInt64? = nil, isSelectedByUser: Bool? = nil,
    largeBlobKey: Bytes? = nil
  ) {
    self.credential = credential
    self.authenticatorData = authenticatorData
    self.signature = signature.slice
    self.user = user
    self.credentialCount = credentialCount
    self.isSelectedByUser = isSelectedByUser
    self.largeBlobKey = largeBlobKey
  }

  /// Parses a reply. Unknown members are ignored.
  ///
  /// - Throws: `command-reply.malformed`, `command-reply.missing-member`, `command-reply.invalid-member`, or a code for
  ///   the malformed credential ID, user handle or authenticator data.
  package init(parsing bytes: Bytes) throws(FormatError) {
    let reply = try CBORMemberReader(parsing: bytes, as: .commandReply, rules: .canonical)
    if let map = try reply.objectIfPresent(0x01) {
      credential = CredentialDescriptor(
        type: CredentialType(rawValue: try map.text("type")), id: try CredentialID(map.bytes("id")))
    } else {
      credential = nil
    }
    authenticatorData = try AuthenticatorData(parsing: reply.bytes(0x02))
    signature = try reply.bytes(0x03)
    if let map = try reply.objectIfPresent(0x04) {
      user = PasskeyUser(
        id: try UserHandle(map.bytes("id")), name: try map.textIfPresent("name"),
        displayName: try map.textIfPresent("displayName"))
    } else {
      user = nil
    }
    credentialCount = try reply.unsignedIfPresent(0x05)
    isSelectedByUser = try reply.boolIfPresent(0x06)
    largeBlobKey = try reply.bytesIfPresent(0x07)
  }

  /// The reply, serialized.
  package var encoded: [UInt8] {
    var writer = CBORWriter(capacity: authenticatorData.encoded.count + signature.count + 256)
    writer.writeMap(keyedBy: CBORKey.self) { (reply) in
      if let credential {
        reply.writeMap(0x01, keyedBy: CBORKey.self) { (map) in
          map.write("id", bytes: credential.id.bytes)
          map.write("type", text: credential.type.rawValue)
        }
      }
      reply.write(0x02, bytes: authenticatorData.encoded)
      reply.write(0x03, bytes: signature)
      if let user {
        reply.writeMap(0x04, keyedBy: CBORKey.self) { (map) in
          map.write("id", bytes: user.id.bytes)
          if let name = user.name { map.write("name", text: name) }
          if let displayName = user.displayName { map.write("displayName", text: displayName) }
        }
      }
      if let credentialCount { reply.write(0x05, unsigned: credentialCount) }
      if let isSelectedByUser { reply.write(0x06, bool: isSelectedByUser) }
      if let largeBlobKey { reply.write(0x07, bytes: largeBlobKey) }
    }
    return writer.bytes
  }
}
