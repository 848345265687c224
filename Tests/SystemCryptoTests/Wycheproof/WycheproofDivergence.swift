// SPDX-License-Identifier: Apache-2.0

/// Every place where we judge otherwise than Wycheproof does, with the reason. A test of these classes that comes out as
/// Wycheproof has it fails too: then the reason is no longer true.
enum WycheproofDivergence {
  /// Wycheproof calls it acceptable: old, not harmful. We refuse it.
  ///
  /// `MissingNull`: the DigestInfo of RSASSA-PKCS1-v1_5 without the NULL parameters of its hash. RFC 8017 §9.2 says which
  /// bytes the encoding has, NULL among them; libcrypto compares with those, and no authenticator makes others.
  static let acceptableAndRefused: Set<String> = ["MissingNull"]

  /// Wycheproof calls them invalid in its file for Bitcoin. We accept them, by file and number.
  ///
  /// Bitcoin wants the lower of the two values of s, so that a transaction has one name. Neither ECDSA nor WebAuthn does:
  /// half of all honest signatures have the higher one.
  static let invalidAndAccepted = ["ecdsa_secp256k1_sha256_bitcoin_test.json": Set([1, 388])]

  /// Wycheproof calls it valid. We refuse it: ML-DSA signatures with a context. COSE's are made with an empty one
  /// (RFC 9964 §3), so one that was made for a context was made for something else.
  static func isForAnotherContext(_ test: WycheproofFile.Test) -> Bool {
    test.ctx.map { !$0.isEmpty } ?? false
  }

  /// `rsa_pss_misc_test.json`, all valid: salts of other lengths, hashes that differ from MGF1's, and SHA-224. COSE binds
  /// all three (RFC 8230 §2), so only the salt that is as long as the one hash there is gets through.
  static func isCOSEsPSS(hash: String?, maskHash: String?, saltByteCount: Int?) -> Bool {
    let digestByteCounts = ["SHA-1": 20, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64]
    guard let hash, hash == maskHash, let saltByteCount else { return false }
    return digestByteCounts[hash] == saltByteCount
  }
}
