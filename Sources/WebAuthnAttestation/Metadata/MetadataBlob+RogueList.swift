// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

extension MetadataBlob {
  /// Reads the list that `rogueListURL` of an entry leads to, after comparing it with the entry's `rogueListHash`.
  ///
  /// The hash is over the base64url encoding of the text, with the hash function of the token's signature (FIDO Metadata
  /// Service 3.0 §3.1.1). It makes the list as trustworthy as the metadata, wherever the caller got it.
  /// - Throws: `metadata.rogue-list-mismatch` where the entry has no such hash, `metadata.rogue-list-malformed`.
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
