// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// The packed format signed by the credential's own key (§8.2, self attestation).
public struct SelfAttestationMaker: AttestationMaker {
  /// Makes one.
  public init() {}

  /// `packed`
  public var format: AttestationFormat { .packed }

  /// The algorithm and the signature, and no certificate.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    let signature = try subject.credentialKey.sign(subject.signedBytes, subject.signing)
    return ["alg": .integer(subject.credentialKey.algorithm.rawValue), "sig": .bytes(signature)]
  }
}
