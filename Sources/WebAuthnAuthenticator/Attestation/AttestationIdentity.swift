// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
internal import WireFormats

/// An attestation signer: a private key with its certificate chain.
public struct AttestationIdentity: Sendable {
  /// The attestation key.
  public let key: SigningKey

  /// The certificates in DER: the leaf, followed by those of its issuers.
  public let certificates: [[UInt8]]

  /// Creates an identity from a key and its certificate chain.
  public init(key: SigningKey, certificates: [[UInt8]]) {
    self.key = key
    self.certificates = certificates
  }

  /// The `x5c` member of an attestation statement.
  var x5c: CBORTree { .array(certificates.map { .bytes($0) }) }
}
