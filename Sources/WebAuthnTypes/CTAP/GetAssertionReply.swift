// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What authenticatorGetAssertion and authenticatorGetNextAssertion answer (CTAP 2.3 §6.2.2).
public struct GetAssertionReply: Sendable {
  /// 0x01: the credential that signed; a device may leave it out where the list had only one.
  public let credential: CredentialDescriptor?

  /// 0x02: what the device says about itself.
  public let authenticatorData: AuthenticatorData

  /// 0x03: the signature over those and the hash of the client data.
  public let signature: Bytes

  /// 0x04: whose the credential is; names only where the user was verified.
  public let user: PasskeyUser?

  /// 0x05: how many credentials there are to choose from, where it is more than one.
  public let credentialCount: UInt64?

  /// 0x06: whether the user chose on the device.
  public let isSelectedByUser: Bool?

  /// 0x07: the key for the credential's large blob.
  public let largeBlobKey: Bytes?

  /// Puts a reply together.
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

  /// Reads a reply as a client does.
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

  /// The reply as it is sent.
  public var encoded: [UInt8] {
    var tree: [CBORKey: CBORTree] = [
      0x02: .bytes([UInt8](authenticatorData.encoded)), 0x03: .bytes([UInt8](signature)),
    ]
    tree[0x01] = credential?.tree
    tree[0x04] = user?.tree
    tree[0x05] = credentialCount.map { .unsigned($0) }
    tree[0x06] = isSelectedByUser.map { .bool($0) }
    tree[0x07] = largeBlobKey.map { .bytes([UInt8]($0)) }
    return CBORWriter.bytes(of: .map(tree))
  }
}
