// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// record = length (4) | sequence (8) | nonce (12) | hash (8) | ciphertext (length) | tag (16)
//
// The hash is the beginning of SHA-256 over what stands before it, so that a damaged length is not taken for a record that
// was not written to its end. AES-256-GCM authenticates the head and the link to the record before: its tag, and for the
// first record the header. No record can be changed, moved, left out or taken from another file.

/// One sealed record of a vault file.
struct VaultRecord {
  let sequence: UInt64

  private let head: Bytes
  private let box: SealedBox

  static let headByteCount = 4 + 8 + SealedBox.nonceByteCount + hashByteCount
  private static let hashByteCount = 8

  /// What the next record continues.
  var link: [UInt8] { [UInt8](box.tag) }

  /// Reads the next record, which has this number where it is known; nil where the file ends before the record does.
  ///
  /// Throws `bytesInvalidValue` where the head is damaged, or what is there of it is not the beginning of one.
  init?(from reader: inout ByteReader, sequence expected: UInt64? = nil) throws(WireError) {
    let start = reader.offset
    guard reader.rest.count >= Self.headByteCount else {
      guard expected.map({ (sequence) in Self.begins(reader.rest, sequence) }) ?? true else {
        throw WireError(.bytesInvalidValue, at: start)
      }
      return nil
    }
    head = try reader.read(Self.headByteCount)
    var fields = ByteReader(head)
    let length = try fields.readUInt32()
    sequence = try fields.readUInt64()
    let nonce = try fields.read(SealedBox.nonceByteCount)
    guard fields.rest == Digest.sha256(head.dropLast(Self.hashByteCount)).prefix(Self.hashByteCount) else {
      throw WireError(.bytesInvalidValue, at: start)
    }
    guard expected == nil || expected == sequence else { throw WireError(.bytesInvalidValue, at: start) }
    guard reader.rest.count >= Int(length) + SealedBox.tagByteCount else { return nil }
    let ciphertext = try reader.read(Int(length))
    let tag = try reader.read(SealedBox.tagByteCount)
    guard let box = try? SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag) else {
      throw WireError(.bytesInvalidValue, at: start)
    }
    self.box = box
  }

  /// Whether bytes may be the beginning of the head of the record with this number.
  private static func begins(_ bytes: Bytes, _ sequence: UInt64) -> Bool {
    var number = ByteWriter(capacity: 8)
    number.write(sequence)
    let length = bytes.prefix(4).enumerated().reduce(0) { (length, byte) in
      length | Int(byte.element) << (24 - 8 * byte.offset)
    }
    return length < VaultFile.maximumByteCount && zip(bytes.dropFirst(4), number.bytes).allSatisfy(==)
  }

  /// Decrypts the record, which has to continue `link`.
  func open(_ key: SecretBytes, after link: [UInt8]) throws(CryptoError) -> SecretBytes {
    try box.open(key: key, authenticating: (head + link)[...])
  }

  /// The bytes of a new record that continues `link`, under a fresh nonce, and the link that it makes.
  static func seal(
    _ plaintext: Bytes, sequence: UInt64, _ key: SecretBytes, after link: [UInt8], random: RandomSource
  ) throws(CryptoError) -> (bytes: [UInt8], link: [UInt8]) {
    let nonce = try random.bytes(SealedBox.nonceByteCount)
    var writer = ByteWriter(capacity: headByteCount + plaintext.count + SealedBox.tagByteCount)
    writer.write(UInt32(clamping: plaintext.count))
    writer.write(sequence)
    writer.write(nonce)
    writer.write(Digest.sha256(writer.bytes[...]).prefix(hashByteCount))
    let box = try SealedBox.seal(
      plaintext, key: key, nonce: nonce[...], authenticating: (writer.bytes + link)[...])
    writer.write(box.ciphertext)
    writer.write(box.tag)
    return (writer.bytes, [UInt8](box.tag))
  }
}
