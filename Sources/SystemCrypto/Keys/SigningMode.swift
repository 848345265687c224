// SPDX-License-Identifier: Apache-2.0

/// Where the randomness of a signature comes from, for the schemes that have any: ECDSA, RSA-PSS and ML-DSA.
///
/// Both are safe and verify alike. RSASSA-PKCS1-v1_5 and EdDSA are deterministic by definition.
public enum SigningMode: Sendable {
  /// From the system: signing the same message twice gives two signatures.
  case randomized

  /// From the private key and the message, so that a run can be repeated.
  ///
  /// ECDSA takes its nonce as RFC 6979 says; ML-DSA is the deterministic variant of FIPS 204 §3.4; the salt of RSA-PSS
  /// is the HMAC of the message's digest under the private exponent, both with the scheme's hash.
  case deterministic
}
