// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

/// RSASSA-PSS with a salt derived from key and message. libcrypto cannot use a given salt, so this type makes the
/// encoding and libcrypto does the arithmetic. Names are those of RFC 8017 §9.1.1.
struct DeterministicPSS {
  private let key: KeyHandle

  init(_ key: KeyHandle) {
    self.key = key
  }

  func sign(_ message: Bytes, _ hash: COSEHash) throws(PasskeyCryptoError) -> [UInt8] {
    let modulus = try key.number("n")
    let mHash = Digest.hash(message, with: hash)
    let d = try key.number("d").secretBytes(count: modulus.byteCount)
    let salt = HMAC.tag(of: mHash, key: d, with: hash)
    let encoded = Self.encode(mHash, salt: salt, emBits: modulus.bitCount - 1, hash)
    // If the modulus has one bit more than whole bytes, the encoding is one byte shorter than the block.
    let block = [UInt8](repeating: 0, count: modulus.byteCount - encoded.count) + encoded
    let context = try KeyContext(key)
    try context.startSigning(.rsaBlock)
    return try unsafe block.withUnsafeBufferPointer { (block) throws(PasskeyCryptoError) in
      try unsafe context.sign(block)
    }
  }

  private static func encode(_ mHash: [UInt8], salt: [UInt8], emBits: Int, _ hash: COSEHash) -> [UInt8] {
    let emLen = (emBits + 7) / 8
    let h = Digest.hash([UInt8](repeating: 0, count: 8) + mHash + salt, with: hash)
    let padding = [UInt8](repeating: 0, count: emLen - salt.count - h.count - 2)
    let db = padding + [0x01] + salt
    var maskedDB = zip(db, mask(h, byteCount: db.count, hash)).map { (byte, mask) in byte ^ mask }
    if let first = maskedDB.first { maskedDB[0] = first & (0xff >> (8 * emLen - emBits)) }
    return maskedDB + h + [0xbc]
  }

  /// MGF1 (appendix B.2.1).
  private static func mask(_ seed: [UInt8], byteCount: Int, _ hash: COSEHash) -> [UInt8] {
    var mask: [UInt8] = []
    var counter: UInt32 = 0
    while mask.count < byteCount {
      var writer = ByteWriter(capacity: seed.count + 4)
      writer.write(seed)
      writer.write(counter)
      mask += Digest.hash(writer.bytes, with: hash)
      counter += 1
    }
    return mask
  }
}
