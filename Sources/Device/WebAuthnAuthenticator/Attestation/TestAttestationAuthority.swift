// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnTypes

/// A test attestation CA for software authenticators. It is the same on every machine, so that a relying party under
/// test needs to trust it only once.
///
/// Its keys derive from a public seed, so anyone can sign with them. Use it only for tests.
public struct TestAttestationAuthority: Sendable {
  /// The CA's certificate in DER: the trust anchor for a relying party under test.
  public let certificate: [UInt8]

  let issuer: CertificateIssuer

  private static let seed = [UInt8]("passkey software authenticator".utf8)

  /// Creates the CA. Every call returns the same one.
  ///
  /// - Throws: `crypto.library-failure`.
  public init() throws(PasskeyCryptoError) {
    let random = Self.random("attestation authority")
    issuer = CertificateIssuer(
      name: Self.name("Authenticator Attestation CA"), key: try .generate(.es256, random: random))
    certificate = try issuer.root(serialNumber: random.bytes(16), validity: Self.validity)
      .certificate(signedBy: issuer.key, .deterministic)
  }

  /// Returns the batch attestation identity of a model (WebAuthn §8.2.1).
  ///
  /// - Throws: `crypto.library-failure`.
  public func batch(of model: AAGUID) throws(PasskeyCryptoError) -> AttestationIdentity {
    try identity("batch \(model)", Self.name("Authenticator Attestation", "batch"), model)
  }

  /// Returns the enterprise attestation identity of one device, whose certificate names it (CTAP 2.3 §7.1).
  ///
  /// - Throws: `crypto.library-failure`.
  public func enterprise(of model: AAGUID, device: String) throws(PasskeyCryptoError) -> AttestationIdentity {
    try identity("enterprise \(model) \(device)", Self.name("Authenticator Attestation", "device \(device)"), model)
  }

  private func identity(
    _ label: String, _ subject: CertificateName, _ model: AAGUID
  ) throws(PasskeyCryptoError) -> AttestationIdentity {
    let random = Self.random(label)
    let key = try SigningKey.generate(.es256, random: random)
    var leaf = try issuer.leaf(
      subject, publicKey: key.publicKey, serialNumber: random.bytes(16), validity: Self.validity)
    leaf.extensions.append(.authenticatorModel(model))
    return AttestationIdentity(
      key: key, certificates: [try leaf.certificate(signedBy: issuer.key, .deterministic)])
  }

  private static func random(_ label: String) -> RandomSource { .seeded(seed, label: label) }

  static func name(_ unit: String, _ device: String? = nil) -> CertificateName {
    let common = device.map { (device) in "passkey software authenticator, \(device)" }
    return CertificateName(
      .init(.commonName, common ?? "passkey software authenticators"), .init(.organizationName, "passkey"),
      .init(.organizationalUnitName, unit), .init(.countryName, "AA"))
  }

  /// 2024 to 3023: a software device does not wear out.
  static let validity =
    UnixTime(secondsSince1970: 1_704_067_200)...UnixTime(secondsSince1970: 33_260_976_000)
}
