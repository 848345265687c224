// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// entry = { 1: ciphertext and tag, 2: nonce, 3: length of the blob }         CTAP 2.3 §6.10.3

/// One credential's blob: compressed, then encrypted with the credential's key. Whose it is, only who has the key can tell.
struct LargeBlobEntry: Sendable {
  private let box: SealedBox
  private let byteCount: UInt64

  // 1 MiB  [an entry says how long it will be, and DEFLATE makes a thousand bytes of one]
  private static let maximumBlobByteCount: UInt64 = 1 << 20

  private static let ciphertextKey: CBORKey = 0x01
  private static let nonceKey: CBORKey = 0x02
  private static let byteCountKey: CBORKey = 0x03

  /// Nil for what is another platform's affair.
  init?(_ tree: CBORTree) {
    guard case .map(let map) = tree, case .bytes(let sealed)? = map[Self.ciphertextKey],
      case .bytes(let nonce)? = map[Self.nonceKey], case .unsigned(let byteCount)? = map[Self.byteCountKey],
      sealed.count >= SealedBox.tagByteCount, byteCount <= Self.maximumBlobByteCount,
      let box = try? SealedBox(
        nonce: nonce[...], ciphertext: sealed.dropLast(SealedBox.tagByteCount),
        tag: sealed.suffix(SealedBox.tagByteCount))
    else { return nil }
    self.init(box, byteCount)
  }

  private init(_ box: SealedBox, _ byteCount: UInt64) {
    self.box = box
    self.byteCount = byteCount
  }

  /// An entry for a blob.
  static func sealing(
    _ blob: [UInt8], with key: SecretBytes, random: RandomSource
  ) throws(ClientError) -> LargeBlobEntry {
    let byteCount = UInt64(blob.count)
    guard byteCount <= maximumBlobByteCount, let compressed = Deflate.compress(blob) else {
      throw ClientError(.authenticatorFull, "\(byteCount) bytes")
    }
    let box = try ClientError.wrapping { () throws(CryptoError) in
      try SealedBox.seal(compressed[...], key: key, authenticating: context(byteCount)[...], random: random)
    }
    return LargeBlobEntry(box, byteCount)
  }

  /// The blob; nil where the key is another's, or what it opens is no blob of the length that is said.
  func open(with key: SecretBytes) -> [UInt8]? {
    guard let compressed = try? box.open(key: key, authenticating: Self.context(byteCount)[...]) else { return nil }
    return compressed.withBytes { (compressed) in
      Deflate.decompress(compressed, byteCount: Int(byteCount))
    }
  }

  /// The entry as it is stored.
  var tree: CBORTree {
    [
      Self.ciphertextKey: .bytes([UInt8](box.ciphertext + box.tag)), Self.nonceKey: .bytes([UInt8](box.nonce)),
      Self.byteCountKey: .unsigned(byteCount),
    ]
  }

  /// "blob", and the length in eight bytes little-endian.
  private static func context(_ byteCount: UInt64) -> [UInt8] {
    [UInt8]("blob".utf8) + (0..<8).map { (index) in UInt8(truncatingIfNeeded: byteCount >> (8 * UInt64(index))) }
  }
}
