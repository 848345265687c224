// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Vouches for nothing (§8.7).
public struct NoneAttestationMaker: AttestationMaker {
  /// Makes one.
  public init() {}

  /// `none`
  public var format: AttestationFormat { .none }

  /// An empty map.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree { [:] }
}
