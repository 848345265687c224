// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// None attestation (§8.7), which attests nothing.
public struct NoneAttestationMaker: AttestationMaker {
  /// Creates a maker.
  public init() {}

  /// `none`
  public var format: AttestationFormat { .none }

  /// Returns an empty map.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree { [:] }
}
