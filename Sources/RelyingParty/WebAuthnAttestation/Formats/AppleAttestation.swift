// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// SEQUENCE { nonce [1] EXPLICIT OCTET STRING }                                        (Apple; not in the standard)

/// Apple's anonymous attestation: a certificate for this one credential (WebAuthn Level 3 §8.8).
struct AppleAttestation {
  private let certificates: AttestationCertificates

  // 1. The statement contains x5c. Early devices also sent an "alg", which is ignored.
  init(parsing statement: CBORValue) throws(AttestationError) {
    certificates = try AttestationStatement(statement).certificates()
  }

  func verify(of ceremony: AttestedCeremony) throws(AttestationError) -> VerifiedStatement {
    // 2. and 3. The nonce is the hash of the authenticator data and the hash of the client data.
    let nonce = ceremony.nonce
    // 4. The certificate contains the nonce.
    let `extension` = try certificates.leaf.requireExtension(.appleNonce)
    try certificates.leaf.requireNotForAnotherFormat(except: .appleNonce)
    let certified = try `extension`.read { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        try reader.readExplicit(1) { (reader) throws(WireError) in try reader.readOctetString() }
      }
    }
    guard certified.elementsEqual(nonce) else { throw AttestationError(.nonceMismatch) }
    // 5. The certificate contains the credential key.
    try ceremony.requireCredentialKey(in: certificates.leaf)
    // 6. The type is anonymization CA: the authority does not reveal the device.
    return VerifiedStatement(type: .anonymizationCA, claims: .byKeyStore, certificates: certificates.all)
  }
}
