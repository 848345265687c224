// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Packed self attestation (§8.2): signed by the credential key.
public struct SelfAttestationMaker: AttestationMaker {
  /// Creates a maker.
  public init() {}

  /// `packed`
  public var format: AttestationFormat { .packed }

  /// Returns a statement with algorithm and signature, without certificates.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    let signature = try subject.credentialKey.sign(subject.signedBytes, subject.signing)
    return ["alg": .integer(subject.credentialKey.algorithm.rawValue), "sig": .bytes(signature)]
  }
}
