// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// The reply to authenticatorMakeCredential (CTAP 2.3 §6.1.2): a new credential.
package struct MakeCredentialReply: ByteParsable, Sendable {
  /// 0x01: the format of the attestation statement.
  package let format: AttestationFormat

  /// 0x02: the authenticator data.
  package let authenticatorData: AuthenticatorData

  /// 0x03: the attestation statement, as the authenticator encoded it.
  package let statement: CBORValue

  /// 0x04: whether the attestation identifies this one authenticator.
  package let isEnterpriseAttestation: Bool?

  /// 0x05: the key of the credential's large blob.
  package let largeBlobKey: Bytes?

  /// Creates a reply.
  package init(
    format: AttestationFormat, authenticatorData: AuthenticatorData, statement: CBORTree,
    isEnterpriseAttestation: Bool? = nil, largeBlobKey: Bytes? = nil
  ) {
    self.format = format
    self.authenticatorData = authenticatorData
    self.statement = CBORValue(encoding: statement)
    self.isEnterpriseAttestation = isEnterpriseAttestation
    self.largeBlobKey = largeBlobKey
  }

  /// Parses a reply. Unknown members are ignored.
  ///
  /// - Throws: `command-reply.malformed`, `command-reply.missing-member`, `command-reply.invalid-member`, or a code for
  ///   malformed authenticator data.
  package init(parsing bytes: Bytes) throws(FormatError) {
    let reply = try CBORMemberReader(parsing: bytes, as: .commandReply, rules: .canonical)
    format = AttestationFormat(rawValue: try reply.text(0x01))
    authenticatorData = try AuthenticatorData(parsing: reply.bytes(0x02))
    // §6.1.2: with the format "none", an authenticator may omit the statement, which is then the empty map.
    if format == .none, reply.lookUp(0x03) == nil {
      statement = CBORValue(encoding: [:])
    } else {
      statement = try reply.require(0x03) { (value) in value }
    }
    isEnterpriseAttestation = try reply.boolIfPresent(0x04)
    largeBlobKey = try reply.bytesIfPresent(0x05)
  }

  /// The reply, serialized.
  package var encoded: [UInt8] {
    var writer = CBORWriter(capacity: authenticatorData.encoded.count + 128)
    writer.writeMap(keyedBy: CBORKey.self) { (reply) in
      reply.write(0x01, text: format.rawValue)
      reply.write(0x02, bytes: authenticatorData.encoded)
      reply.write(0x03, encoded: statement)
      if let isEnterpriseAttestation { reply.write(0x04, bool: isEnterpriseAttestation) }
      if let largeBlobKey { reply.write(0x05, bytes: largeBlobKey) }
    }
    return writer.bytes
  }

  /// The attestation object that a client sends to the relying party (WebAuthn §6.5.4).
  package var attestationObject: [UInt8] {
    var writer = CBORWriter(capacity: authenticatorData.encoded.count + statement.encoded.count + 64)
    writer.writeMap(keyedBy: CBORKey.self) { (object) in
      object.write("fmt", text: format.rawValue)
      object.write("attStmt", encoded: statement)
      object.write("authData", bytes: authenticatorData.encoded)
    }
    return writer.bytes
  }
}
