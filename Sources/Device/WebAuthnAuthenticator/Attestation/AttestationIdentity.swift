// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

/// An attestation signer: a private key with its certificate chain.
public struct AttestationIdentity: Sendable {
  /// The attestation key.
  package let key: SigningKey

  /// The certificates in DER: the leaf, followed by those of its issuers.
  package let certificates: [[UInt8]]

  /// Creates an identity from a key and its certificate chain.
  package init(key: SigningKey, certificates: [[UInt8]]) {
    self.key = key
    self.certificates = certificates
  }

  /// The `x5c` member of an attestation statement.
  package var x5c: CBORTree { .array(certificates.map { .bytes($0) }) }
}

extension AttestationIdentity {
  /// Creates an identity from the credential's own key with a self-signed certificate. A U2F registration requires a
  /// certificate; this one attests nothing.
  init(ownKeyOf key: SigningKey, random: RandomSource) throws(PasskeyCryptoError) {
    let issuer = CertificateIssuer(name: TestAttestationAuthority.name("Authenticator Attestation"), key: key)
    let leaf = try issuer.leaf(
      issuer.name, publicKey: key.publicKey, serialNumber: random.bytes(16),
      validity: TestAttestationAuthority.validity)
    self.init(key: key, certificates: [try leaf.certificate(signedBy: key, .deterministic)])
  }
}
