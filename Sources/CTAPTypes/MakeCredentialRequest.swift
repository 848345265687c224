// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import WebAuthnTypes
public import WireFormats

/// The parameters of authenticatorMakeCredential (CTAP 2.3 §6.1).
public struct MakeCredentialRequest: Hashable, Sendable {
  /// 0x01: SHA-256 of the client data.
  public var clientDataHash: Bytes

  /// 0x02, `id`: the scope of the credential. What may stand here is the client's to say.
  public var relyingPartyID: String

  /// 0x02, `name`: what people call the relying party.
  public var relyingPartyName: String?

  /// 0x03: for whom.
  public var user: PasskeyUser

  /// 0x04: the kinds of credential that the relying party takes, the preferred first.
  public var parameters: [CredentialParameters]

  /// 0x05: credentials of which one is enough.
  public var excludeList: [CredentialDescriptor] = []

  /// 0x06: the extensions.
  public var extensions = RegistrationExtensionInputs()

  /// 0x07: the options.
  public var options = CommandOptions()

  /// 0x08: what shows that the platform has a token. An empty one only asks for a touch.
  public var pinUVAuthParameter: Bytes?

  /// 0x09: the PIN/UV auth protocol of that.
  public var pinUVAuthProtocol: UInt64?

  /// 0x0A: 1 for an enterprise attestation that the vendor arranged, 2 for one that the platform did.
  public var enterpriseAttestation: UInt64?

  /// 0x0B: the attestation formats that the relying party would rather have, the preferred first.
  public var attestationFormats: [AttestationFormat] = []

  /// Asks for a credential; everything that can be left out is.
  public init(
    clientDataHash: Bytes, relyingPartyID: String, relyingPartyName: String? = nil, user: PasskeyUser,
    parameters: [CredentialParameters]
  ) {
    self.clientDataHash = clientDataHash
    self.relyingPartyID = relyingPartyID
    self.relyingPartyName = relyingPartyName
    self.user = user
    self.parameters = parameters
  }

  /// Reads the parameters as a device does.
  public init(parsing bytes: Bytes) throws(CTAPError) {
    let parameters = try CommandParameters(parsing: bytes)
    clientDataHash = try parameters.clientDataHash(0x01)
    let relyingParty = try parameters.map(0x02)
    relyingPartyID = try relyingParty.text("id")
    relyingPartyName = try relyingParty.optionalText("name")
    user = try PasskeyUser(parameters.map(0x03))
    self.parameters = try CredentialParameters.list(parameters.maps(0x04))
    excludeList = try CredentialDescriptor.list(parameters.optionalMaps(0x05) ?? [])
    extensions = try RegistrationExtensionInputs(parameters.optionalMap(0x06))
    options = try CommandOptions(parameters.optionalMap(0x07))
    pinUVAuthParameter = try parameters.optionalBytes(0x08)
    pinUVAuthProtocol = try parameters.optionalUnsigned(0x09)
    enterpriseAttestation = try parameters.optionalUnsigned(0x0a)
    attestationFormats = try parameters.optionalTexts(0x0b)?.map { AttestationFormat(rawValue: $0) } ?? []
  }

  /// The parameters as they are sent.
  public var encoded: [UInt8] {
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
  /// The hash that has to stand with `key`.
  func clientDataHash(_ key: CBORKey) throws(CTAPError) -> Bytes {
    let hash = try bytes(key)
    guard hash.count == Self.clientDataHashByteCount else {
      throw CTAPError(.invalidLength, "a client data hash of \(hash.count) bytes")
    }
    return hash
  }

  /// SHA-256, and nothing else.
  private static let clientDataHashByteCount = 32
}

extension CredentialParameters {
  fileprivate static func list(_ maps: [CommandParameters]) throws(CTAPError) -> [CredentialParameters] {
    var list: [CredentialParameters] = []
    for map in maps {
      // §6.1.2, step 3: an element that lacks a member is invalid CBOR.
      guard let algorithm = try map.optionalInteger("alg"), let type = try map.optionalText("type") else {
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
  /// The map as CTAP has it.
  package var tree: CBORTree { ["alg": .integer(algorithm.rawValue), "type": .text(type.rawValue)] }
}
