// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
internal import WireFormats

/// An authority that vouches for software devices: the same on every machine, so that a relying party under test can be
/// told of it once.
///
/// Its keys follow from a seed that everybody knows. Whoever trusts it trusts everybody: it is for tests.
public struct TestAttestationAuthority: Sendable {
  /// Its own certificate in DER: the anchor for a relying party under test.
  public let certificate: [UInt8]

  let issuer: CertificateIssuer

  private static let seed = [UInt8]("passkey software authenticator".utf8)

  /// Makes it, the same each time.
  public init() throws(CryptoError) {
    let random = Self.random("attestation authority")
    issuer = CertificateIssuer(
      name: Self.name("Authenticator Attestation CA"), key: try .generate(.es256, random: random))
    certificate = try issuer.root(serialNumber: random.bytes(16), validity: Self.validity)
      .certificate(signedBy: issuer.key, .deterministic)
  }

  /// Who signs for all devices of a model (WebAuthn §8.2.1).
  public func batch(of model: AAGUID) throws(CryptoError) -> AttestationIdentity {
    try identity("batch \(model)", Self.name("Authenticator Attestation", "batch"), model)
  }

  /// Who signs for one device of a model, which its certificate names (CTAP 2.3 §7.1).
  public func enterprise(of model: AAGUID, device: String) throws(CryptoError) -> AttestationIdentity {
    try identity("enterprise \(model) \(device)", Self.name("Authenticator Attestation", "device \(device)"), model)
  }

  private func identity(
    _ label: String, _ subject: CertificateName, _ model: AAGUID
  ) throws(CryptoError) -> AttestationIdentity {
    let random = Self.random(label)
    let key = try SigningKey.generate(.es256, random: random)
    var leaf = try issuer.leaf(
      subject, publicKey: key.publicKey, serialNumber: random.bytes(16), validity: Self.validity)
    leaf.extensions.append(.authenticatorModel(model))
    return AttestationIdentity(
      key: key, certificates: [try leaf.certificate(signedBy: issuer.key, .deterministic)])
  }

  private static func random(_ label: String) -> RandomSource { .seeded(seed[...], label: label) }

  static func name(_ unit: String, _ device: String? = nil) -> CertificateName {
    let common = device.map { (device) in "passkey software authenticator, \(device)" }
    return CertificateName(
      .init(.commonName, common ?? "passkey software authenticators"), .init(.organizationName, "passkey"),
      .init(.organizationalUnitName, unit), .init(.countryName, "AA"))
  }

  /// A software device does not wear out.
  static let validity =
    Timestamp(secondsSince1970: 1_704_067_200)...Timestamp(secondsSince1970: 33_260_976_000)
}
