// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The random values of one of the standard's vectors, in the order in which the standard draws them. What a vector does
/// not need is not drawn, so that all that follows is another draw.
struct W3CValues: Sendable {
  let registration: W3CCeremonyValues
  let credentialKey: SigningKey
  let aaguid: AAGUID
  let credentialID: [UInt8]
  /// What signs attestations, where that is a key of its own.
  let attestationKey: SigningKey?
  /// Of the certificate, where there is one.
  let serialNumber: [UInt8]
  let authentication: W3CCeremonyValues

  init(_ vector: W3CVector) throws(CryptoError) {
    let random = RandomSource.seeded([UInt8](W3CVector.seed.utf8)[...], label: vector.name)
    let challenge = try random.bytes(vector.challengeByteCount)
    credentialKey = try Self.credentialKey(vector.algorithm, random)
    let extraData = try W3CCeremonyValues.drawExtraData(random)
    aaguid = AAGUID(try random.bytes(AAGUID.byteCount)[...]) ?? .zero
    credentialID = try random.bytes(vector.credentialIDByteCount)
    // U2F has no flag but that somebody was there.
    let flags = vector.attestation == .fidoU2F ? [] : try W3CCeremonyValues.drawFlags(random)
    registration = W3CCeremonyValues(challenge: challenge, extraData: extraData, flags: flags)
    attestationKey =
      vector.attestation.hasKeyOfItsOwn ? try SigningKey(.es256, privateKey: random.secret(32)) : nil
    serialNumber = vector.attestation.hasCertificate ? try random.bytes(Self.serialNumberByteCount) : []
    authentication = W3CCeremonyValues(
      challenge: try random.bytes(vector.challengeByteCount),
      extraData: try W3CCeremonyValues.drawExtraData(random), flags: try W3CCeremonyValues.drawFlags(random))
  }

  static let serialNumberByteCount = 16

  /// The bytes drawn are the private key as it is. The RSA key is not drawn: it is the same for everybody.
  private static func credentialKey(
    _ algorithm: COSEAlgorithm, _ random: RandomSource
  ) throws(CryptoError) -> SigningKey {
    switch algorithm {
    case .rs256: try SigningKey(.rs256, primes: mersenne(1279), mersenne(2203))
    case .es384: try SigningKey(algorithm, privateKey: random.secret(48))
    // 520 of the curve's 521 bits: below its order, whatever is drawn.
    case .es512: try SigningKey(algorithm, privateKey: random.secret(65))
    case .ed448: try SigningKey(algorithm, privateKey: random.secret(57))
    default: try SigningKey(algorithm, privateKey: random.secret(32))
    }
  }

  /// 2ⁿ − 1, where eight does not divide *n*.
  private static func mersenne(_ bitCount: Int) -> SecretBytes {
    SecretBytes(([UInt8(1 << (bitCount % 8) - 1)] + [UInt8](repeating: 0xff, count: bitCount / 8))[...])
  }
}

/// What is drawn for each of the two ceremonies.
struct W3CCeremonyValues: Sendable {
  let challenge: [UInt8]
  /// What stands in an additional member of the client data, where there is one.
  let extraData: [UInt8]?
  /// What the device was to say besides that somebody was there; of a passkey that cannot be backed up, none was.
  let flags: AuthenticatorFlags

  /// The lowest bit of a byte says whether there is any.
  fileprivate static func drawExtraData(_ random: RandomSource) throws(CryptoError) -> [UInt8]? {
    try drawByte(random) & 1 == 1 ? try random.bytes(16) : nil
  }

  fileprivate static func drawFlags(_ random: RandomSource) throws(CryptoError) -> AuthenticatorFlags {
    AuthenticatorFlags(rawValue: try drawByte(random)).intersection([.userVerified, .backupEligible, .backedUp])
  }

  private static func drawByte(_ random: RandomSource) throws(CryptoError) -> UInt8 {
    try random.bytes(1).reduce(0, |)
  }
}
