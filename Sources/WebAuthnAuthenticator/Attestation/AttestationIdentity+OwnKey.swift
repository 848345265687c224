// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

extension AttestationIdentity {
  /// Creates an identity from the credential's own key with a self-signed certificate. A U2F registration requires a
  /// certificate; this one attests nothing.
  init(ownKeyOf key: SigningKey, random: RandomSource) throws(CryptoError) {
    let issuer = CertificateIssuer(name: TestAttestationAuthority.name("Authenticator Attestation"), key: key)
    let leaf = try issuer.leaf(
      issuer.name, publicKey: key.publicKey, serialNumber: random.bytes(16),
      validity: TestAttestationAuthority.validity)
    self.init(key: key, certificates: [try leaf.certificate(signedBy: key, .deterministic)])
  }
}
