// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// Credential IDs that anyone can compute from a name.
enum PredictableID {
  /// Returns the rule by which an ID follows from one of the texts; nil if none is known.
  static func rule(of id: [UInt8], for texts: [String]) -> String? {
    // 8 bytes [shorter IDs match by chance]
    guard id.count >= 8 else { return nil }
    for text in texts {
      if id == Array(text.utf8) { return "the name" }
      // Several decoys of a name have a number.
      for suffix in ["", "0", "1", "-0", "-1", ":0", ":1"] {
        for variant in Set([text, text.lowercased()]) {
          let message = Array((variant + suffix).utf8)
          for (rule, digest) in digests(of: message) where isBeginning(id, of: digest) {
            return "\(rule) of the name"
          }
        }
      }
    }
    return nil
  }

  private static func digests(of message: [UInt8]) -> [(rule: String, digest: [UInt8])] {
    let noKey = SecretBytes(utf8: "")
    return [
      ("a SHA-1 digest", Digest.legacySHA1(message)), ("a SHA-256 digest", Digest.sha256(message)),
      ("a SHA-384 digest", Digest.sha384(message)), ("a SHA-512 digest", Digest.sha512(message)),
      ("HMAC-SHA-256 with an empty key", HMAC.tag(of: message, key: noKey)),
      ("HMAC-SHA-512 with an empty key", HMAC.tag(of: message, key: noKey, with: .sha512)),
    ]
  }

  /// Whether an ID is the beginning of a digest or of its hexadecimal digits.
  private static func isBeginning(_ id: [UInt8], of digest: [UInt8]) -> Bool {
    digest.starts(with: id) || Hex.encode(digest).utf8.starts(with: id)
  }
}
