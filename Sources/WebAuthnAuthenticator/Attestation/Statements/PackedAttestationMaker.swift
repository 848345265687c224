// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// The packed format signed by an attestation key with a certificate (§8.2): one key for a batch of devices, or one that
/// an authority knows. Which of the two it is, nothing in the statement says.
public struct PackedAttestationMaker: AttestationMaker {
  private let identity: AttestationIdentity

  /// Signs as `identity`.
  public init(_ identity: AttestationIdentity) {
    self.identity = identity
  }

  /// `packed`
  public var format: AttestationFormat { .packed }

  /// The algorithm, the signature, and the certificates.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    [
      "alg": .integer(identity.key.algorithm.rawValue),
      "sig": .bytes(try identity.key.sign(subject.signedBytes, subject.signing)),
      "x5c": identity.x5c,
    ]
  }
}

extension CertificateExtension {
  /// id-fido-gen-ce-aaguid: the model of authenticators that an attestation certificate is about (§8.2.1). Not critical,
  /// and the 16 bytes stand in an OCTET STRING of their own.
  public static func authenticatorModel(_ aaguid: AAGUID) -> Self {
    making([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]) { $0.writeOctetString(aaguid.bytes[...]) }
  }
}
