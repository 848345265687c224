// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// The reply to authenticatorGetAssertion and authenticatorGetNextAssertion (CTAP 2.3 §6.2.2).
public struct GetAssertionReply: ByteParsable, Sendable {
  /// 0x01: the credential that signed. An authenticator may omit it if the allow list had one entry.
  public let credential: CredentialDescriptor?

  /// 0x02: the authenticator data.
  public let authenticatorData: AuthenticatorData

  /// 0x03: the signature over the authenticator data and the client data hash.
  public let signature: Bytes

  /// 0x04: the user account. Its names are present only if the user was verified.
  public let user: PasskeyUser?

  /// 0x05: the number of matching credentials, if more than one.
  public let credentialCount: UInt64?

  /// 0x06: whether the user selected the credential on the authenticator.
  public let isSelectedByUser: Bool?

  /// 0x07: the key of the credential's large blob.
  public let largeBlobKey: Bytes?

  /// Creates a reply.
  public init(
    credential: CredentialDescriptor?, authenticatorData: AuthenticatorData, signature: Bytes,
    user: PasskeyUser? = nil, credentialCount: UInt64? = nil, isSelectedByUser: Bool? = nil,
    largeBlobKey: Bytes? = nil
  ) {
    self.credential = credential
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.user = user
    self.credentialCount = credentialCount
    self.isSelectedByUser = isSelectedByUser
    self.largeBlobKey = largeBlobKey
  }

  /// Parses a reply. Unknown members are ignored.
  ///
  /// - Throws: `command-reply.malformed`, `command-reply.missing-member`, `command-reply.invalid-member`, or a code for
  ///   the malformed credential ID, user handle or authenticator data.
  public init(parsing bytes: Bytes) throws(FormatError) {
    let reply = try CommandReply(parsing: bytes)
    if let map = try reply.map(0x01) {
      credential = CredentialDescriptor(
        type: CredentialType(rawValue: try map.require("type", map.text)),
        id: try CredentialID(map.require("id", map.bytes)))
    } else {
      credential = nil
    }
    authenticatorData = try AuthenticatorData(parsing: reply.require(0x02, reply.bytes))
    signature = try reply.require(0x03, reply.bytes)
    if let map = try reply.map(0x04) {
      user = PasskeyUser(
        id: try UserHandle(map.require("id", map.bytes)), name: try map.text("name"),
        displayName: try map.text("displayName"))
    } else {
      user = nil
    }
    credentialCount = try reply.unsigned(0x05)
    isSelectedByUser = try reply.bool(0x06)
    largeBlobKey = try reply.bytes(0x07)
  }

  /// The reply, serialized.
  public var encoded: [UInt8] {
    var count = 2
    if credential != nil { count += 1 }
    if user != nil { count += 1 }
    if credentialCount != nil { count += 1 }
    if isSelectedByUser != nil { count += 1 }
    if largeBlobKey != nil { count += 1 }
    var writer = CBORWriter(capacity: authenticatorData.encoded.count + signature.count + 256)
    writer.beginMap(count)
    if let credential {
      writer.write(integer: 0x01)
      writer.write(credential)
    }
    writer.write(integer: 0x02)
    writer.write(bytes: authenticatorData.encoded)
    writer.write(integer: 0x03)
    writer.write(bytes: signature)
    if let user {
      writer.write(integer: 0x04)
      writer.write(user)
    }
    if let credentialCount {
      writer.write(integer: 0x05)
      writer.write(.unsigned(credentialCount))
    }
    if let isSelectedByUser {
      writer.write(integer: 0x06)
      writer.write(bool: isSelectedByUser)
    }
    if let largeBlobKey {
      writer.write(integer: 0x07)
      writer.write(bytes: largeBlobKey)
    }
    return writer.bytes
  }
}

extension CBORWriter {
  fileprivate mutating func write(_ credential: CredentialDescriptor) {
    beginMap(2)
    write(text: "id")
    write(bytes: credential.id.bytes)
    write(text: "type")
    write(text: credential.type.rawValue)
  }

  fileprivate mutating func write(_ user: PasskeyUser) {
    beginMap(1 + (user.name == nil ? 0 : 1) + (user.displayName == nil ? 0 : 1))
    write(text: "id")
    write(bytes: user.id.bytes)
    if let name = user.name {
      write(text: "name")
      write(text: name)
    }
    if let displayName = user.displayName {
      write(text: "displayName")
      write(text: displayName)
    }
  }
}
