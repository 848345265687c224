// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The random values of one scenario, drawn in this order from a seeded source whose label is the scenario's name: so
/// anyone makes the same bytes again.
struct ScenarioValues {
  /// 32 bytes.
  let challenge: [UInt8]
  /// 32 bytes.
  let userHandle: [UInt8]
  /// 32 bytes.
  let credentialID: [UInt8]
  /// 16 bytes.
  let aaguid: AAGUID
  /// 16 bytes, of which the highest bit is cleared.
  let serialNumber: [UInt8]
  /// As ``SigningKey/generate(_:random:modulusBitCount:)`` draws it.
  let credentialKey: SigningKey

  private let label: String

  static let seed = "passkey vectors"

  init(_ label: String, _ algorithm: COSEAlgorithm) throws(CryptoError) {
    let random = RandomSource.seeded([UInt8](Self.seed.utf8)[...], label: label)
    self.label = label
    challenge = try random.bytes(32)
    userHandle = try random.bytes(32)
    credentialID = try random.bytes(32)
    aaguid = AAGUID(try random.bytes(AAGUID.byteCount)[...]) ?? .zero
    serialNumber = try random.bytes(16).enumerated().map { $0.offset == 0 ? $0.element & 0x7f : $0.element }
    credentialKey = try .generate(algorithm, random: random)
  }

  /// The private scalar of the credential's key on P-256, drawn again.
  func privateScalar() throws(CryptoError) -> [UInt8] {
    let random = RandomSource.seeded([UInt8](Self.seed.utf8)[...], label: label)
    for count in [32, 32, 32, AAGUID.byteCount, 16] { _ = try random.bytes(count) }
    return try random.bytes(32)
  }

  /// The key of somebody whose values do not belong to one scenario.
  static func key(of name: String, _ algorithm: COSEAlgorithm = .es256) throws(CryptoError) -> SigningKey {
    try .generate(algorithm, random: .seeded([UInt8](seed.utf8)[...], label: "\(name) \(algorithm)"))
  }
}

/// What is the same in every scenario that does not say otherwise.
enum ScenarioDefaults {
  static let relyingPartyID = "raxx.app"
  static let origin = "https://raxx.app"
  static let topOrigin = "https://partner.example"
  /// 2026-01-01T00:00:00Z
  static let time = Timestamp(secondsSince1970: 1_767_225_600)
  /// From the beginning of 2024 to that of 2044.
  static let validity = Timestamp(secondsSince1970: 1_704_067_200)...Timestamp(secondsSince1970: 2_335_219_200)
}
