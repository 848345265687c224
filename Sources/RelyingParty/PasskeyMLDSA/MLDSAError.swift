// SPDX-License-Identifier: Apache-2.0

/// The reason why a key or signature is rejected. The caller maps it to an error of its own.
package enum MLDSAError: Error {
  /// The length of a public key, private key or seed is wrong, or an expanded private key contradicts itself.
  case invalidKey
  /// The signature does not match the key, message and context.
  case invalidSignature
  /// A context has more than 255 bytes, or the randomness of a signature not 32.
  case invalidParameter
  /// No attempt gave a signature. The probability is below 2⁻²⁵⁶ (FIPS 204, appendix C).
  case attemptsExhausted
}
