// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// The parameters of authenticatorGetAssertion (CTAP 2.3 §6.2).
package struct GetAssertionRequest: ByteParsable, Hashable, Sendable {
  /// 0x01: the RP ID.
  package var relyingPartyID: String

  /// 0x02: the SHA-256 hash of the client data.
  package var clientDataHash: Bytes

  /// 0x03: the accepted credentials; nil accepts any discoverable credential. Parsing gives an empty array, which accepts
  /// none, if every descriptor was skipped.
  package var allowList: [CredentialDescriptor]?

  /// 0x04: the extension inputs.
  package var extensions = AssertionExtensionInputs()

  /// 0x05: the options.
  package var options = CommandOptions()

  /// 0x06: the platform's proof that it holds a PIN/UV auth token. An empty value only requests a touch.
  package var pinUVAuthParameter: Bytes?

  /// 0x07: the PIN/UV auth protocol of ``pinUVAuthParameter``.
  package var pinUVAuthProtocol: UInt64?

  /// Creates a request without optional parameters.
  package init(
    relyingPartyID: String, clientDataHash: some ByteSource, allowList: [CredentialDescriptor]? = nil
  ) {
    let clientDataHash = clientDataHash.slice
    self.relyingPartyID = relyingPartyID
    self.clientDataHash = clientDataHash
    self.allowList = allowList
  }

  /// Parses the parameters, as an authenticator does. A descriptor with an invalid ID is skipped.
  ///
  /// - Throws: A ``CTAPError`` with the status that the standard prescribes.
  package init(parsing bytes: Bytes) throws(CTAPError) {
    let parameters = try CommandParameters(parsing: bytes)
    relyingPartyID = try parameters.text(0x01)
    clientDataHash = try parameters.clientDataHash(0x02)
    // §6.2.1: the platform must not send an empty list, so an empty list counts as absent.
    if let list = try parameters.objectsIfPresent(0x03), !list.isEmpty {
      allowList = try CredentialDescriptor.list(list)
    }
    extensions = try AssertionExtensionInputs(parameters.objectIfPresent(0x04))
    options = try CommandOptions(parameters.objectIfPresent(0x05))
    pinUVAuthParameter = try parameters.bytesIfPresent(0x06)
    pinUVAuthProtocol = try parameters.unsignedIfPresent(0x07)
  }

  /// The parameters, serialized.
  package var encoded: [UInt8] {
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
