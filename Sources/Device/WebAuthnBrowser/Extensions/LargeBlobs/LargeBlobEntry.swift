// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// entry = { 1: ciphertext and tag, 2: nonce, 3: length of the blob }         CTAP 2.3 §6.10.3

/// The large blob of one credential: compressed, then encrypted with the credential's key. An entry does not name its
/// credential; only a holder of the key can identify it.
struct LargeBlobEntry: Sendable {
  private let box: SealedBox
  private let byteCount: UInt64

  // 1 MiB  [an entry states its decompressed size, and DEFLATE expands one byte to up to a thousand]
  private static let maximumBlobByteCount: UInt64 = 1 << 20

  private static let ciphertextKey: CBORKey = 0x01
  private static let nonceKey: CBORKey = 0x02
  private static let byteCountKey: CBORKey = 0x03

  /// Returns nil if the entry is malformed or uses another platform's format.
  init?(_ tree: CBORTree) {
    guard case .map(let map) = tree, case .bytes(let sealed)? = map[Self.ciphertextKey],
      case .bytes(let nonce)? = map[Self.nonceKey], case .unsigned(let byteCount)? = map[Self.byteCountKey],
      sealed.count >= SealedBox.tagByteCount, byteCount <= Self.maximumBlobByteCount,
      let box = try? SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(SealedBox.tagByteCount),
        tag: sealed.suffix(SealedBox.tagByteCount))
    else { return nil }
    self.init(box, byteCount)
  }

  private init(_ box: SealedBox, _ byteCount: UInt64) {
    self.box = box
    self.byteCount = byteCount
  }

  /// Encrypts a blob and returns its entry.
  static func sealing(
    _ blob: [UInt8], with key: SecretBytes, _ compression: any BlobCompression, random: RandomSource
  ) throws(ClientError) -> LargeBlobEntry {
    let byteCount = UInt64(blob.count)
    guard byteCount <= maximumBlobByteCount, let compressed = compression.compress(blob) else {
      throw ClientError(.authenticatorFull, "\(byteCount) bytes")
    }
    let box = try mapError(
      SealedBox.seal(compressed, key: key, authenticating: context(byteCount), random: random),
      ClientError.init(answer:))
    return LargeBlobEntry(box, byteCount)
  }

  /// Decrypts the blob. Returns nil if the key does not match, or if the content does not have the stated length.
  func open(with key: SecretBytes, _ compression: any BlobCompression) -> [UInt8]? {
    guard let compressed = try? box.open(key: key, authenticating: Self.context(byteCount)) else { return nil }
    return compressed.withBytes { (compressed) in
      compression.decompress(compressed, byteCount: Int(byteCount))
    }
  }

  /// The entry in its stored form.
  var tree: CBORTree {
    [
      Self.ciphertextKey: .bytes([UInt8](box.ciphertext + box.tag)), Self.nonceKey: .bytes([UInt8](box.nonce)),
      Self.byteCountKey: .unsigned(byteCount),
    ]
  }

  /// Returns the associated data: "blob", then the length as eight bytes, little-endian.
  private static func context(_ byteCount: UInt64) -> [UInt8] {
    [UInt8]("blob".utf8) + (0..<8).map { (index) in UInt8(truncatingIfNeeded: byteCount >> (8 * UInt64(index))) }
  }
}
