// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// The reply to authenticatorMakeCredential (CTAP 2.3 §6.1.2): a new credential.
public struct MakeCredentialReply: ByteParsable, Sendable {
  /// 0x01: the format of the attestation statement.
  public let format: AttestationFormat

  /// 0x02: the authenticator data.
  public let authenticatorData: AuthenticatorData

  /// 0x03: the attestation statement.
  public let statement: CBORTree

  /// 0x04: whether the attestation identifies this one authenticator.
  public let isEnterpriseAttestation: Bool?

  /// 0x05: the key of the credential's large blob.
  public let largeBlobKey: Bytes?

  /// Creates a reply.
  public init(
    format: AttestationFormat, authenticatorData: AuthenticatorData, statement: CBORTree,
    isEnterpriseAttestation: Bool? = nil, largeBlobKey: Bytes? = nil
  ) {
    self.format = format
    self.authenticatorData = authenticatorData
    self.statement = statement
    self.isEnterpriseAttestation = isEnterpriseAttestation
    self.largeBlobKey = largeBlobKey
  }

  /// Parses a reply. Unknown members are ignored.
  ///
  /// - Throws: `command-reply.malformed`, `command-reply.missing-member`, `command-reply.invalid-member`, or a code for
  ///   malformed authenticator data.
  public init(parsing bytes: Bytes) throws(FormatError) {
    let reply = try CommandReply(parsing: bytes)
    format = AttestationFormat(rawValue: try reply.require(0x01, reply.text))
    authenticatorData = try AuthenticatorData(parsing: reply.require(0x02, reply.bytes))
    // §6.1.2: with the format "none", an authenticator may omit the statement, which is then the empty map.
    let written = try format == .none ? reply.value(0x03) : reply.require(0x03, reply.value)
    statement = written.map { (value) in CBORTree(value) } ?? [:]
    isEnterpriseAttestation = try reply.bool(0x04)
    largeBlobKey = try reply.bytes(0x05)
  }

  /// The reply, serialized.
  public var encoded: [UInt8] {
    var writer = CBORWriter(capacity: authenticatorData.encoded.count + 128)
    writer.beginMap(3 + (isEnterpriseAttestation == nil ? 0 : 1) + (largeBlobKey == nil ? 0 : 1))
    writer.write(integer: 0x01)
    writer.write(text: format.rawValue)
    writer.write(integer: 0x02)
    writer.write(bytes: authenticatorData.encoded)
    writer.write(integer: 0x03)
    writer.write(statement)
    if let isEnterpriseAttestation {
      writer.write(integer: 0x04)
      writer.write(bool: isEnterpriseAttestation)
    }
    if let largeBlobKey {
      writer.write(integer: 0x05)
      writer.write(bytes: largeBlobKey)
    }
    return writer.bytes
  }

  /// The attestation object that a client sends to the relying party (WebAuthn §6.5.4).
  public var attestationObject: [UInt8] {
    CBORWriter.bytes(
      of: [
        "fmt": .text(format.rawValue), "attStmt": statement, "authData": .bytes([UInt8](authenticatorData.encoded)),
      ])
  }
}
