// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnTypes

/// The random values of one scenario, drawn in this order from a source that is seeded with the scenario's label. The same
/// label always yields the same values.
struct ScenarioValues {
  /// 32 bytes.
  let challenge: [UInt8]
  /// 32 bytes.
  let userHandle: [UInt8]
  /// 32 bytes.
  let credentialID: [UInt8]
  /// 16 bytes.
  let aaguid: AAGUID
  /// 16 bytes with the highest bit cleared, so that the number is positive.
  let serialNumber: [UInt8]
  /// The credential key.
  let credentialKey: SigningKey
  /// The signature counter.
  var signCount: UInt32 = 0

  private let label: String

  static let seed = "passkey vectors"

  init(_ label: String, _ algorithm: COSEAlgorithm) throws(PasskeyCryptoError) {
    let random = RandomSource.seeded([UInt8](Self.seed.utf8)[...], label: label)
    self.label = label
    challenge = try random.bytes(32)
    userHandle = try random.bytes(32)
    credentialID = try random.bytes(32)
    aaguid = AAGUID(try random.bytes(AAGUID.byteCount)) ?? .zero
    serialNumber = try random.bytes(16).enumerated().map { $0.offset == 0 ? $0.element & 0x7f : $0.element }
    credentialKey = try .generate(algorithm, random: random)
  }

  /// Takes the values of a ceremony with a live server.
  init(_ ceremony: LiveCeremony) {
    label = ""
    challenge = ceremony.challenge
    userHandle = ceremony.credential.userHandle
    credentialID = ceremony.credential.id
    aaguid = ceremony.credential.model
    serialNumber = FIDOModel.serialNumber
    credentialKey = ceremony.credential.key
    signCount = ceremony.signCount
  }

  /// Draws the values again, and returns the private scalar of a credential key on P-256.
  func privateScalar() throws(PasskeyCryptoError) -> [UInt8] {
    let random = RandomSource.seeded([UInt8](Self.seed.utf8)[...], label: label)
    for count in [32, 32, 32, AAGUID.byteCount, 16] { _ = try random.bytes(count) }
    return try random.bytes(32)
  }

  /// Returns a key that several scenarios share, such as an authority's.
  static func key(of name: String, _ algorithm: COSEAlgorithm = .es256) throws(PasskeyCryptoError) -> SigningKey {
    try .generate(algorithm, random: .seeded([UInt8](seed.utf8)[...], label: "\(name) \(algorithm)"))
  }
}

/// The defaults of every scenario.
enum ScenarioDefaults {
  static let relyingPartyID = "raxx.app"
  static let origin = "https://raxx.app"
  static let topOrigin = "https://partner.example"
  /// 2026-01-01T00:00:00Z
  static let time = UnixTime(secondsSince1970: 1_767_225_600)
  /// The validity of certificates: 2024-01-01 to 2044-01-01.
  static let validity = UnixTime(secondsSince1970: 1_704_067_200)...UnixTime(secondsSince1970: 2_335_219_200)
}
