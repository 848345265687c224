// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// The parameters of authenticatorGetAssertion (CTAP 2.3 §6.2).
public struct GetAssertionRequest: Hashable, Sendable {
  /// 0x01: the scope of the credential.
  public var relyingPartyID: String

  /// 0x02: SHA-256 of the client data.
  public var clientDataHash: Bytes

  /// 0x03: the credentials of which one shall sign. Nothing is another thing than none of them.
  public var allowList: [CredentialDescriptor]?

  /// 0x04: the extensions.
  public var extensions = AssertionExtensionInputs()

  /// 0x05: the options.
  public var options = CommandOptions()

  /// 0x06: what shows that the platform has a token. An empty one only asks for a touch.
  public var pinUVAuthParameter: Bytes?

  /// 0x07: the PIN/UV auth protocol of that.
  public var pinUVAuthProtocol: UInt64?

  /// Asks for an assertion; everything that can be left out is.
  public init(relyingPartyID: String, clientDataHash: Bytes, allowList: [CredentialDescriptor]? = nil) {
    self.relyingPartyID = relyingPartyID
    self.clientDataHash = clientDataHash
    self.allowList = allowList
  }

  /// Reads the parameters as a device does.
  public init(parsing bytes: Bytes) throws(CTAPError) {
    let parameters = try CommandParameters(parsing: bytes)
    relyingPartyID = try parameters.text(0x01)
    clientDataHash = try parameters.clientDataHash(0x02)
    // An empty list is no list: it is not to be sent (§6.2.1).
    if let list = try parameters.optionalMaps(0x03), !list.isEmpty { allowList = try CredentialDescriptor.list(list) }
    extensions = try AssertionExtensionInputs(parameters.optionalMap(0x04))
    options = try CommandOptions(parameters.optionalMap(0x05))
    pinUVAuthParameter = try parameters.optionalBytes(0x06)
    pinUVAuthProtocol = try parameters.optionalUnsigned(0x07)
  }

  /// The parameters as they are sent.
  public var encoded: [UInt8] {
    var tree: [CBORKey: CBORTree] = [
      0x01: .text(relyingPartyID), 0x02: .bytes([UInt8](clientDataHash)),
    ]
    if let allowList, !allowList.isEmpty { tree[0x03] = .array(allowList.map(\.tree)) }
    tree[0x04] = extensions.tree
    tree[0x05] = options.tree
    tree[0x06] = pinUVAuthParameter.map { .bytes([UInt8]($0)) }
    tree[0x07] = pinUVAuthProtocol.map { .unsigned($0) }
    return CBORWriter.bytes(of: .map(tree))
  }
}
