// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyFormats
package import WebAuthnTypes

/// The parameters of authenticatorMakeCredential (CTAP 2.3 §6.1).
package struct MakeCredentialRequest: ByteParsable, Hashable, Sendable {
  /// 0x01: the SHA-256 hash of the client data.
  package var clientDataHash: Bytes

  /// 0x02, `id`: the RP ID. The client has verified that the caller may use it.
  package var relyingPartyID: String

  /// 0x02, `name`: the relying party's display name.
  package var relyingPartyName: String?

  /// 0x03: the user account.
  package var user: PasskeyUser

  /// 0x04: the accepted credential types and algorithms, preferred first.
  package var parameters: [CredentialParameters]

  /// 0x05: credentials of the account. An authenticator that holds one of them refuses to create another.
  package var excludeList: [CredentialDescriptor] = []

  /// 0x06: the extension inputs.
  package var extensions = RegistrationExtensionInputs()

  /// 0x07: the options.
  package var options = CommandOptions()

  /// 0x08: the platform's proof that it holds a PIN/UV auth token. An empty value only requests a touch.
  package var pinUVAuthParameter: Bytes?

  /// 0x09: the PIN/UV auth protocol of ``pinUVAuthParameter``.
  package var pinUVAuthProtocol: UInt64?

  /// 0x0A: 1 for vendor-facilitated enterprise attestation, 2 for platform-managed enterprise attestation.
  package var enterpriseAttestation: UInt64?

  /// 0x0B: the attestation formats that the relying party prefers, most preferred first.
  package var attestationFormats: [AttestationFormat] = []

  /// Creates a request without optional parameters.
  package init(
    clientDataHash: some ByteSource, relyingPartyID: String, relyingPartyName: String? = nil, user: PasskeyUser,
    parameters: [CredentialParameters]
  ) {
    let clientDataHash = clientDataHash.slice
    self.clientDataHash = clientDataHash
    self.relyingPartyID = relyingPartyID
    self.relyingPartyName = relyingPartyName
    self.user = user
    self.parameters = parameters
  }

  /// Parses the parameters, as an authenticator does. An excluded credential with an invalid ID is skipped.
  ///
  /// - Throws: A ``CTAPError`` with the status that the standard prescribes.
  package init(parsing bytes: Bytes) throws(CTAPError) {
    let parameters = try CommandParameters(parsing: bytes)
    clientDataHash = try parameters.clientDataHash(0x01)
    let relyingParty = try parameters.object(0x02)
    relyingPartyID = try relyingParty.text("id")
    relyingPartyName = try relyingParty.textIfPresent("name")
    user = try PasskeyUser(parameters.object(0x03))
    self.parameters = try CredentialParameters.list(parameters.objects(0x04))
    excludeList = try CredentialDescriptor.list(parameters.objectsIfPresent(0x05) ?? [])
    extensions = try RegistrationExtensionInputs(parameters.objectIfPresent(0x06))
    options = try CommandOptions(parameters.objectIfPresent(0x07))
    pinUVAuthParameter = try parameters.bytesIfPresent(0x08)
    pinUVAuthProtocol = try parameters.unsignedIfPresent(0x09)
    enterpriseAttestation = try parameters.unsignedIfPresent(0x0a)
    attestationFormats = try parameters.textsIfPresent(0x0b)?.map { AttestationFormat(rawValue: $0) } ?? []
  }

  /// The parameters, serialized.
  package var encoded: [UInt8] {
    var relyingParty: [CBORKey: CBORTree] = ["id": .text(relyingPartyID)]
    relyingParty["name"] = relyingPartyName.map { .text($0) }
    var tree: [CBORKey: CBORTree] = [
      0x01: .bytes([UInt8](clientDataHash)), 0x02: .map(relyingParty), 0x03: user.tree,
      0x04: .array(parameters.map(\.tree)),
    ]
    if !excludeList.isEmpty { tree[0x05] = .array(excludeList.map(\.tree)) }
    tree[0x06] = extensions.tree
    tree[0x07] = options.tree
    tree[0x08] = pinUVAuthParameter.map { .bytes([UInt8]($0)) }
    tree[0x09] = pinUVAuthProtocol.map { .unsigned($0) }
    tree[0x0a] = enterpriseAttestation.map { .unsigned($0) }
    if !attestationFormats.isEmpty { tree[0x0b] = .array(attestationFormats.map { .text($0.rawValue) }) }
    return CBORWriter.bytes(of: .map(tree))
  }
}

extension CommandParameters {
  /// Reads the SHA-256 hash at `key`.
  func clientDataHash(_ key: CBORKey) throws(CTAPError) -> Bytes {
    let hash = try bytes(key)
    guard hash.count == Self.clientDataHashByteCount else {
      throw CTAPError(.invalidLength, "a client data hash of \(hash.count) bytes")
    }
    return hash
  }

  private static let clientDataHashByteCount = 32
}

extension CredentialParameters {
  fileprivate static func list(_ maps: [CommandParameters]) throws(CTAPError) -> [CredentialParameters] {
    var list: [CredentialParameters] = []
    for map in maps {
      // §6.1.2, step 3: an element without a required member is invalid CBOR.
      guard let algorithm = try map.integerIfPresent("alg"), let type = try map.textIfPresent("type") else {
        throw CTAPError(.invalidCBOR, "an element of pubKeyCredParams without alg or type")
      }
      list.append(
        CredentialParameters(
          type: CredentialType(rawValue: type), algorithm: COSEAlgorithm(rawValue: algorithm)))
    }
    return list
  }
}

extension CredentialParameters {
  /// The type and algorithm as a CBOR map.
  package var tree: CBORTree { ["alg": .integer(algorithm.rawValue), "type": .text(type.rawValue)] }
}
