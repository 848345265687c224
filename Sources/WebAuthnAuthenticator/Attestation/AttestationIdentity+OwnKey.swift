// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

extension AttestationIdentity {
  /// The credential's own key, under a certificate that it signs itself: a U2F registration has to have one, and this one
  /// says nothing.
  init(ownKeyOf key: SigningKey, random: RandomSource) throws(CryptoError) {
    let issuer = CertificateIssuer(name: TestAttestationAuthority.name("Authenticator Attestation"), key: key)
    let leaf = try issuer.leaf(
      issuer.name, publicKey: key.publicKey, serialNumber: random.bytes(16),
      validity: TestAttestationAuthority.validity)
    self.init(key: key, certificates: [try leaf.certificate(signedBy: key, .deterministic)])
  }
}
