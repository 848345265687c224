// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
internal import WireFormats

/// Who signs attestations with a key of its own: the key, and certificates that say whose it is.
public struct AttestationIdentity: Sendable {
  /// The attestation key.
  public let key: SigningKey

  /// The certificates in DER: that of the key first, then those that lead to a root.
  public let certificates: [[UInt8]]

  /// Pairs a key with its certificates.
  public init(key: SigningKey, certificates: [[UInt8]]) {
    self.key = key
    self.certificates = certificates
  }

  /// The member `x5c` of a statement.
  var x5c: CBORTree { .array(certificates.map { .bytes($0) }) }
}
