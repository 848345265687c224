// SPDX-License-Identifier: Apache-2.0

/// A parameter set of ML-DSA, with the names of FIPS 204 §4, table 1.
package struct ParameterSet: Hashable, Sendable {
  /// The number of rows of the matrix A.
  let k: Int
  /// The number of columns of the matrix A.
  let l: Int
  /// The largest coefficient of a private key.
  let eta: Int32
  /// The number of coefficients ±1 of a challenge.
  let tau: Int
  /// The collision strength of the challenge hash, in bits.
  let lambda: Int
  /// The range of the coefficients of a mask, as a power of two.
  let gamma1Exponent: Int
  /// The range of the low-order bits.
  let gamma2: Gamma2
  /// The largest number of ones in a hint.
  let omega: Int

  /// ML-DSA-44, of security category 2.
  package static let mlDSA44 = ParameterSet(
    k: 4, l: 4, eta: 2, tau: 39, lambda: 128, gamma1Exponent: 17, gamma2: .of88, omega: 80)

  /// ML-DSA-65, of security category 3.
  package static let mlDSA65 = ParameterSet(
    k: 6, l: 5, eta: 4, tau: 49, lambda: 192, gamma1Exponent: 19, gamma2: .of32, omega: 55)

  /// ML-DSA-87, of security category 5.
  package static let mlDSA87 = ParameterSet(
    k: 8, l: 7, eta: 2, tau: 60, lambda: 256, gamma1Exponent: 19, gamma2: .of32, omega: 75)

  /// The two values of γ2. An enumeration, so that divisions have constant divisors.
  enum Gamma2: Int32, Sendable {
    /// (q − 1) / 88.
    case of88 = 95_232
    /// (q − 1) / 32.
    case of32 = 261_888
  }

  /// The length of a seed ξ.
  package static let seedByteCount = 32

  /// The length of the randomness of a hedged signature.
  package static let randomnessByteCount = 32

  /// The length of a public key (table 2).
  package var publicKeyByteCount: Int { 32 + k * Polynomial.byteCount(bits: Self.t1Bits) }

  /// The length of an expanded private key (table 2).
  package var privateKeyByteCount: Int {
    128 + (k + l) * Polynomial.byteCount(bits: etaBits) + k * Polynomial.byteCount(bits: Self.d)
  }

  /// The length of a signature (table 2).
  package var signatureByteCount: Int {
    challengeByteCount + l * Polynomial.byteCount(bits: zBits) + omega + k
  }

  /// The number of bits that Power2Round drops from t.
  static let d = 13

  /// The width of a coefficient of t1: bitlen(q − 1) − d.
  static let t1Bits = 10

  /// The width of a coefficient of s1 and s2: bitlen(2η).
  var etaBits: Int { eta == 2 ? 3 : 4 }

  /// The width of a coefficient of z: 1 + bitlen(γ1 − 1).
  var zBits: Int { gamma1Exponent + 1 }

  /// The width of a coefficient of w1: bitlen((q − 1) / (2γ2) − 1).
  var w1Bits: Int { gamma2 == .of88 ? 6 : 4 }

  /// The length of the commitment hash c̃.
  var challengeByteCount: Int { lambda / 4 }

  /// The largest coefficient of c·s: τη.
  var beta: Int32 { Int32(truncatingIfNeeded: tau) &* eta }

  var gamma1: Int32 { 1 << Int32(truncatingIfNeeded: gamma1Exponent) }
}
