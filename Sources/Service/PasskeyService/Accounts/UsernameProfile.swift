// SPDX-License-Identifier: Apache-2.0

/// The profile of new user names, so that they are hard to confuse: the Highly Restrictive level of UTS 39 §5.2.
///
/// A name consists of printable ASCII, with single spaces, and of the letters, marks and digits that UTS 39 §3.1 allows in
/// identifiers. They are of one script, or of Latin and the scripts of Japanese, Korean or Chinese, and digits are of one
/// system. None of these characters is invisible or changes under NFKC. Names of one script can still look like names of
/// another script.
enum UsernameProfile {
  /// Returns why a new account cannot have this name, in normalization form C; nil if it can.
  static func fault(of name: String) -> String? {
    var scripts: Set<Substring>?
    var digitZeros: Set<UInt32> = []
    var previous: Unicode.Scalar?
    for scalar in name.unicodeScalars {
      defer { previous = scalar }
      let properties = scalar.properties
      if properties.generalCategory == .decimalNumber, let digit = properties.numericValue {
        digitZeros.insert(scalar.value &- UInt32(digit))
      }
      if let own = Self.scripts(of: scalar) {
        scripts = scripts?.intersection(own) ?? own
      } else if marks.contains(where: { $0.contains(scalar.value) }) {
        // UTS 39 §5.4 forbids a repeated mark.
        guard let previous, previous.value >= 0x80 || previous.properties.isAlphabetic, previous != scalar else {
          return "an accent needs a letter before it, and stands there once"
        }
      } else if !(0x20...0x7e).contains(scalar.value) {
        return "\(code(of: scalar)) is not allowed: use letters and digits of a script in use, or ASCII characters"
      } else if scalar == " ", previous == " " {
        return "two spaces in a row are not allowed"
      }
    }
    if scripts?.isEmpty == true { return "letters of different scripts are not allowed" }
    if digitZeros.count > 1 { return "digits of different scripts are not allowed" }
    return nil
  }

  private static func code(of scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
  }

  /// Returns the scripts and groups of scripts that have the character; nil for one of all scripts, and one that is not
  /// allowed.
  private static func scripts(of scalar: Unicode.Scalar) -> Set<Substring>? {
    if scalar.value < 0x80, !scalar.properties.isAlphabetic { return nil }
    var places = letters.startIndex..<letters.endIndex
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      let entry = letters[middle]
      if entry.range.contains(scalar.value) { return entry.scripts }
      places =
        scalar.value < entry.range.lowerBound ? places.lowerBound..<middle : middle + 1..<places.upperBound
    }
    return nil
  }

  private static let letters = table.flatMap { (entry) in
    let scripts = Set(entry.scripts.split(separator: " "))
    return ranges(entry.ranges).map { (range: $0, scripts: scripts) }
  }.sorted { $0.range.lowerBound < $1.range.lowerBound }

  private static let marks = ranges("300-304 306-30c 30f-311 313-314 31b 323-328 32d-32e 330-331 335 338-339")

  private static func ranges(_ text: String) -> [ClosedRange<UInt32>] {
    text.split(separator: " ").compactMap { (word) in
      let ends = word.split(separator: "-").compactMap { UInt32($0, radix: 16) }
      guard let first = ends.first, let last = ends.last, first <= last else { return nil }
      return first...last
    }
  }

  // Unicode 14.0: the characters with Identifier_Status=Allowed by their Script_Extensions, without those of all scripts,
  // and with the middle dot of Catalan. Each script has its name. Where a name may mix several, their group is named:
  // japanese (Latin, Han, Hiragana, Katakana), korean (Latin, Han, Hangul), chinese (Latin, Han, Bopomofo).
  private static let table: [(scripts: String, ranges: String)] = [
    (
      "arabic",
      """
      620-63f 641-655 670-672 674 679-68d 68f-6a0 6a2-6d3 6d5 6e5-6e6 6ee-6ff 750-77f 870-887 889-88e 8a0-8ac \
      8b2 8b5-8c9
      """
    ),
    (
      "arabic thaana",
      """
      660-669
      """
    ),
    (
      "armenian",
      """
      531-556 559 561-586 58a
      """
    ),
    (
      "bengali",
      """
      981-983 985-98c 98f-990 993-9a8 9aa-9b0 9b2 9b6-9b9 9bc-9c4 9c7-9c8 9cb-9ce 9d7 9e0-9e3 9e6-9f1 9fe
      """
    ),
    (
      "chinese",
      """
      3105-312d 312f 31a0-31bf
      """
    ),
    (
      "cyrillic",
      """
      400-45f 48a-4ff 510-529 52e-52f a67f
      """
    ),
    (
      "devanagari",
      """
      901-94d 94f-950 956-957 960-963 966-96f 971-977 979-97f
      """
    ),
    (
      "ethiopic",
      """
      1200-1248 124a-124d 1250-1256 1258 125a-125d 1260-1288 128a-128d 1290-12b0 12b2-12b5 12b8-12be 12c0 \
      12c2-12c5 12c8-12d6 12d8-1310 1312-1315 1318-135a 135d-135f 1380-138f 2d80-2d96 2da0-2da6 2da8-2dae \
      2db0-2db6 2db8-2dbe 2dc0-2dc6 2dc8-2dce 2dd0-2dd6 2dd8-2dde ab01-ab06 ab09-ab0e ab11-ab16 ab20-ab26 \
      ab28-ab2e 1e7e0-1e7e6 1e7e8-1e7eb 1e7ed-1e7ee 1e7f0-1e7fe
      """
    ),
    (
      "georgian",
      """
      10c7 10cd 10d0-10f0 10f7-10fa 10fd-10ff 1c90-1cba 1cbd-1cbf 2d27 2d2d
      """
    ),
    (
      "greek",
      """
      342 345 375 37b-37d 386 388-38a 38c 38e-3a1 3a3-3ce 3fc-3ff 1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d \
      1f50-1f57 1f59 1f5b 1f5d 1f5f-1f70 1f72 1f74 1f76 1f78 1f7a 1f7c 1f80-1fb4 1fb6-1fba 1fbc 1fc2-1fc4 \
      1fc6-1fc8 1fca 1fcc 1fd0-1fd2 1fd6-1fda 1fe0-1fe2 1fe4-1fea 1fec 1ff2-1ff4 1ff6-1ff8 1ffa 1ffc
      """
    ),
    (
      "gujarati",
      """
      a81-a83 a85-a8d a8f-a91 a93-aa8 aaa-ab0 ab2-ab3 ab5-ab9 abc-ac5 ac7-ac9 acb-acd ad0 ae0-ae3 ae6-aef afa- \
      aff
      """
    ),
    (
      "gurmukhi",
      """
      a01-a03 a05-a0a a0f-a10 a13-a28 a2a-a30 a32 a35 a38-a39 a3c a3e-a42 a47-a48 a4b-a4d a5c a66-a74
      """
    ),
    (
      "hebrew",
      """
      5b4 5d0-5ea 5ef-5f4
      """
    ),
    (
      "japanese",
      """
      3041-3096 3099-309a 309d-309e 30a0-30fe 1b11f-1b122 1b150-1b152 1b164-1b167
      """
    ),
    (
      "japanese korean chinese",
      """
      3005-3007 3400-4dbf 4e00-9fff fa0e-fa0f fa11 fa13-fa14 fa1f fa21 fa23-fa24 fa27-fa29 16ff0-16ff1 \
      20000-2a6df 2a700-2b738 2b740-2b81d 2b820-2cea1 2ceb0-2ebe0 30000-3134a
      """
    ),
    (
      "kannada",
      """
      c80 c82-c83 c85-c8c c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbc-cc4 cc6-cc8 cca-ccd cd5-cd6 cdd ce0-ce3 ce6-cef \
      cf1-cf2
      """
    ),
    (
      "khmer",
      """
      1780-17a2 17a5-17a7 17a9-17b3 17b6-17cd 17d0 17d2 17d7 17dc 17e0-17e9
      """
    ),
    (
      "korean",
      """
      ac00-d7a3
      """
    ),
    (
      "lao",
      """
      e81-e82 e84 e86-e8a e8c-ea3 ea5 ea7-eb2 eb4-ebd ec0-ec4 ec6 ec8-ecd ed0-ed9 ede-edf
      """
    ),
    (
      "latin japanese korean chinese",
      """
      41-5a 61-7a b7 c0-d6 d8-f6 f8-131 134-13e 141-148 14a-17e 18f 1a0-1a1 1af-1b0 1cd-1dc 1de-1e3 1e6-1f0 \
      1f4-1f5 1f8-21b 21e-21f 226-233 259 1e00-1e99 1e9e 1ea0-1ef9 a78d a792-a793 a7aa a7ae a7b8-a7b9 \
      a7c0-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 ab66-ab67 1df00-1df1e
      """
    ),
    (
      "malayalam",
      """
      d00 d02-d03 d05-d0c d0e-d10 d12-d3a d3d-d43 d46-d48 d4a-d4e d54-d57 d60-d61 d66-d6f d7a-d7f
      """
    ),
    (
      "myanmar",
      """
      1000-1049 1050-109d a9e7-a9fe aa60-aa76 aa7a-aa7f
      """
    ),
    (
      "oriya",
      """
      b01-b03 b05-b0c b0f-b10 b13-b28 b2a-b30 b32-b33 b35-b39 b3c-b43 b47-b48 b4b-b4d b55-b57 b5f-b61 b66-b6f \
      b71
      """
    ),
    (
      "sinhala",
      """
      d82-d83 d85-d8e d91-d96 d9a-da5 da7-db1 db3-dbb dbd dc0-dc6 dca dcf-dd4 dd6 dd8-dde df2
      """
    ),
    (
      "tamil",
      """
      b82-b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f ba3-ba4 ba8-baa bae-bb9 bbe-bc2 bc6-bc8 bca-bcd bd0 \
      bd7 be6-bef 11301 11303 1133b-1133c
      """
    ),
    (
      "telugu",
      """
      c01-c0c c0e-c10 c12-c28 c2a-c33 c35-c39 c3c-c44 c46-c48 c4a-c4d c55-c56 c5d c60-c61 c66-c6f
      """
    ),
    (
      "thaana",
      """
      780-7b1
      """
    ),
    (
      "thai",
      """
      e01-e32 e34-e3a e40-e4e e50-e59
      """
    ),
    (
      "tibetan",
      """
      f00 f0b f20-f29 f35 f37 f3e-f42 f44-f47 f49-f4c f4e-f51 f53-f56 f58-f5b f5d-f68 f6a-f6c f71-f72 f74 \
      f7a-f80 f82-f84 f86-f92 f94-f97 f99-f9c f9e-fa1 fa3-fa6 fa8-fab fad-fb8 fba-fbc fc6
      """
    ),
  ]
}
