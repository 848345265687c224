// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// Packed attestation with an attestation certificate (§8.2): basic attestation with a batch key, or attestation CA.
/// The statement does not tell which.
package struct PackedAttestationMaker: AttestationMaker {
  private let identity: AttestationIdentity

  /// Creates a maker that signs as `identity`.
  package init(_ identity: AttestationIdentity) {
    self.identity = identity
  }

  /// `packed`
  package var format: AttestationFormat { .packed }

  /// Returns a statement with algorithm, signature and certificates.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    [
      "alg": .integer(identity.key.algorithm.rawValue),
      "sig": .bytes(try identity.key.sign(subject.signedBytes, subject.signing)),
      "x5c": identity.x5c,
    ]
  }
}

extension CertificateExtension {
  /// Returns the id-fido-gen-ce-aaguid extension: the AAGUID of the model that an attestation certificate is for
  /// (§8.2.1). Not critical. The 16 bytes are wrapped in an OCTET STRING.
  package static func authenticatorModel(_ aaguid: AAGUID) -> Self {
    making([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]) { $0.writeOctetString(aaguid.bytes) }
  }
}
