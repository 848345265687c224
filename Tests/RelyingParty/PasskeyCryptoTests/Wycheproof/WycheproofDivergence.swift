// SPDX-License-Identifier: Apache-2.0

/// The differences between our results and Wycheproof's, with their reasons. A test of these classes that agrees with
/// Wycheproof fails, so that outdated reasons are noticed.
enum WycheproofDivergence {
  /// Wycheproof: acceptable (legacy, harmless). Ours: rejected.
  ///
  /// `MissingNull`: the DigestInfo of RSASSA-PKCS1-v1_5 lacks the NULL parameters of its hash. RFC 8017 §9.2 defines
  /// the exact bytes with NULL; libcrypto compares with those, and no authenticator omits it.
  static let acceptableAndRefused: Set<String> = ["MissingNull"]

  /// Wycheproof: invalid in its Bitcoin file. Ours: accepted, by file and number.
  ///
  /// Bitcoin requires the lower of the two values of s, so that transaction identifiers are unique. ECDSA and WebAuthn
  /// do not: half of all valid signatures have the higher value.
  static let invalidAndAccepted = ["ecdsa_secp256k1_sha256_bitcoin_test.json": Set([1, 388])]

  /// Wycheproof: valid. Ours: rejected: ML-DSA signatures with a context. COSE uses an empty context (RFC 9964 §3), so
  /// a signature with a context has another purpose.
  static func isForAnotherContext(_ test: WycheproofFile.Test) -> Bool {
    test.ctx.map { !$0.isEmpty } ?? false
  }

  /// `rsa_pss_misc_test.json`, all valid: other salt lengths, a hash different from MGF1's, and SHA-224. COSE fixes all
  /// three (RFC 8230 §2), so only a salt of the hash's length is accepted.
  static func isCOSEsPSS(hash: String?, maskHash: String?, saltByteCount: Int?) -> Bool {
    let digestByteCounts = ["SHA-1": 20, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64]
    guard let hash, hash == maskHash, let saltByteCount else { return false }
    return digestByteCounts[hash] == saltByteCount
  }
}
