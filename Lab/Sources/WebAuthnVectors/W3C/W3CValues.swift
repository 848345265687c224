// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The random values of one of the standard's vectors, in the order in which the standard draws them. A value that a vector
/// does not need is not drawn, which changes all values after it.
struct W3CValues: Sendable {
  let registration: W3CCeremonyValues
  let credentialKey: SigningKey
  let aaguid: AAGUID
  let credentialID: [UInt8]
  /// The attestation key; nil where the vector does not use one.
  let attestationKey: SigningKey?
  /// The serial number of the attestation certificate; empty where the vector does not use one.
  let serialNumber: [UInt8]
  let authentication: W3CCeremonyValues

  init(_ vector: W3CVector) throws(PasskeyCryptoError) {
    let random = RandomSource.seeded([UInt8](W3CVector.seed.utf8)[...], label: vector.name)
    let challenge = try random.bytes(vector.challengeByteCount)
    credentialKey = try Self.credentialKey(vector.algorithm, random)
    let extraData = try W3CCeremonyValues.drawExtraData(random)
    aaguid = AAGUID(try random.bytes(AAGUID.byteCount)) ?? .zero
    credentialID = try random.bytes(vector.credentialIDByteCount)
    // U2F has only the user presence flag.
    let flags = vector.attestation == .fidoU2F ? [] : try W3CCeremonyValues.drawFlags(random)
    registration = W3CCeremonyValues(challenge: challenge, extraData: extraData, flags: flags)
    attestationKey =
      vector.attestation.hasAttestationKey ? try SigningKey(.es256, privateKey: random.secret(32)) : nil
    serialNumber = vector.attestation.hasCertificate ? try random.bytes(Self.serialNumberByteCount) : []
    authentication = W3CCeremonyValues(
      challenge: try random.bytes(vector.challengeByteCount),
      extraData: try W3CCeremonyValues.drawExtraData(random), flags: try W3CCeremonyValues.drawFlags(random))
  }

  static let serialNumberByteCount = 16

  /// Returns the credential key. The drawn bytes are the private key itself; the RSA key is constant.
  private static func credentialKey(
    _ algorithm: COSEAlgorithm, _ random: RandomSource
  ) throws(PasskeyCryptoError) -> SigningKey {
    switch algorithm {
    case .rs256: try SigningKey(.rs256, primes: mersenne(1279), mersenne(2203))
    case .es384: try SigningKey(algorithm, privateKey: random.secret(48))
    // 520 of the curve's 521 bits, so that the number is below the curve's order.
    case .es512: try SigningKey(algorithm, privateKey: random.secret(65))
    case .ed448: try SigningKey(algorithm, privateKey: random.secret(57))
    default: try SigningKey(algorithm, privateKey: random.secret(32))
    }
  }

  /// Returns 2ⁿ − 1, where n is not a multiple of eight.
  private static func mersenne(_ bitCount: Int) -> SecretBytes {
    SecretBytes(([UInt8(1 << (bitCount % 8) - 1)] + [UInt8](repeating: 0xff, count: bitCount / 8))[...])
  }
}

/// The random values of one ceremony.
struct W3CCeremonyValues: Sendable {
  let challenge: [UInt8]

  /// The content of an additional member of the client data; nil where it is absent.
  let extraData: [UInt8]?

  /// The flags UV, BE and BS of the authenticator data.
  let flags: AuthenticatorFlags

  /// Draws extra data if the lowest bit of a drawn byte is set.
  fileprivate static func drawExtraData(_ random: RandomSource) throws(PasskeyCryptoError) -> [UInt8]? {
    try drawByte(random) & 1 == 1 ? try random.bytes(16) : nil
  }

  fileprivate static func drawFlags(_ random: RandomSource) throws(PasskeyCryptoError) -> AuthenticatorFlags {
    AuthenticatorFlags(rawValue: try drawByte(random)).intersection([.userVerified, .backupEligible, .backedUp])
  }

  private static func drawByte(_ random: RandomSource) throws(PasskeyCryptoError) -> UInt8 {
    try random.bytes(1).reduce(0, |)
  }
}
