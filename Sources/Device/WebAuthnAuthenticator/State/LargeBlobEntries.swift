// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats

// entry = { 1: ciphertext and tag, 2: nonce, 3: length of the blob }         CTAP 2.3 §6.10.3

/// The entries of a large-blob array, for the owner of the vault, who has all keys. The device never looks into the
/// array.
struct LargeBlobEntries {
  private let entries: [CBORValue]

  private static let ciphertextKey: CBORKey = 0x01
  private static let nonceKey: CBORKey = 0x02
  private static let byteCountKey: CBORKey = 0x03
  private static let checksumByteCount = 16

  /// Reads the stored array. A malformed array, which a client may store, has no entries.
  init(_ array: [UInt8]?) {
    let content = (array ?? LargeBlobArray.empty).dropLast(Self.checksumByteCount)
    entries = ((try? CBORValue(parsing: content, rules: .wellFormed).array).map { [CBORValue]($0) }) ?? []
  }

  /// Decrypts the blob of the credential with this key; nil if it has none.
  func blob(of key: SecretBytes) -> ExchangedPasskey.LargeBlob? {
    for entry in entries {
      guard case .map(let map) = CBORTree(entry), case .bytes(let sealed)? = map[Self.ciphertextKey],
        case .bytes(let nonce)? = map[Self.nonceKey], case .unsigned(let byteCount)? = map[Self.byteCountKey],
        let box = try? SealedBox(
          nonce: nonce, ciphertext: sealed.dropLast(SealedBox.tagByteCount),
          tag: sealed.suffix(SealedBox.tagByteCount)),
        let compressed = try? box.open(key: key, authenticating: Self.context(byteCount))
      else { continue }
      return ExchangedPasskey.LargeBlob(uncompressedByteCount: byteCount, compressed: compressed.exposedBytes)
    }
    return nil
  }

  /// Returns the serialized array with one more entry. Other entries are kept byte for byte.
  func adding(
    _ blob: ExchangedPasskey.LargeBlob, _ key: SecretBytes, random: RandomSource
  ) throws(CTAPError) -> [UInt8] {
    let context = Self.context(blob.uncompressedByteCount)
    let box = try mapError(
      SealedBox.seal(blob.compressed, key: key, authenticating: context, random: random), CTAPError.init(other:))
    let entry = CBORWriter.bytes(of: [
      Self.ciphertextKey: .bytes([UInt8](box.ciphertext + box.tag)), Self.nonceKey: .bytes([UInt8](box.nonce)),
      Self.byteCountKey: .unsigned(blob.uncompressedByteCount),
    ])
    var writer = CBORWriter()
    writer.writeArray(entries.map(\.encoded) + [entry[...]]) { (array, entry) in array.write(encoded: entry) }
    return LargeBlobArray.withChecksum(writer.bytes)
  }

  /// Returns the associated data: "blob", then the length as eight bytes, little-endian.
  private static func context(_ byteCount: UInt64) -> [UInt8] {
    [UInt8]("blob".utf8) + (0..<8).map { (index) in UInt8(truncatingIfNeeded: byteCount >> (8 * UInt64(index))) }
  }
}
