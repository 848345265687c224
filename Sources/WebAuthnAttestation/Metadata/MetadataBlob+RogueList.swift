// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

extension MetadataBlob {
  /// Parses the rogue list at an entry's `rogueListURL`, after comparing its hash with the entry's `rogueListHash`.
  ///
  /// The hash is computed over the base64url encoding of the text, with the hash function of the token's signature
  /// (FIDO Metadata Service 3.0 §3.1.1). It makes the list as trustworthy as the metadata, regardless of the download
  /// source.
  /// - Throws: `metadata.rogue-list-mismatch` if the hashes differ or the entry has none,
  ///   `metadata.rogue-list-malformed`.
  public func rogueList(json text: Bytes, of entry: MetadataEntry) throws(AttestationError) -> RogueList {
    guard text.count <= RogueList.maximumByteCount else {
      throw AttestationError(.rogueListMalformed, "\(text.count) bytes, at most \(RogueList.maximumByteCount)")
    }
    let hash = Digest.hash([UInt8](Base64URL.encode(text).utf8)[...], with: signatureHash)
    guard let expected = entry.rogueListHash else {
      throw AttestationError(.rogueListMismatch, "the entry has no rogueListHash")
    }
    guard hash == expected else {
      throw AttestationError(.rogueListMismatch, expected: Hex.encode(expected), received: Hex.encode(hash))
    }
    return try RogueList(json: text)
  }
}
