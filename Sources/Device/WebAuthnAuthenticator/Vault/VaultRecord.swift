// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// record = length (4) | sequence (8) | nonce (12) | hash (8) | ciphertext (length) | tag (16)
//
// The hash is a prefix of SHA-256 over the preceding fields. It tells a corrupt length from an incomplete record.
// AES-256-GCM authenticates the head and the link: the tag of the previous record or, for the first record, the header.
// No record can be changed, moved, omitted or copied from another file.

/// A sealed record of a vault file.
struct VaultRecord {
  let sequence: UInt64

  private let head: Bytes
  private let box: SealedBox

  static let headByteCount = 4 + 8 + SealedBox.nonceByteCount + hashByteCount
  private static let hashByteCount = 8

  /// The tag, which the next record authenticates.
  var link: [UInt8] { [UInt8](box.tag) }

  /// Parses the next record, which must have the expected sequence number if one is given. Returns nil if the file ends
  /// within the record.
  ///
  /// Throws `bytesInvalidValue` if the head is corrupt, or if the remaining bytes are not the beginning of a head.
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

  /// Whether the bytes may be the beginning of the head of this record.
  private static func begins(_ bytes: Bytes, _ sequence: UInt64) -> Bool {
    var number = ByteWriter(capacity: 8)
    number.write(sequence)
    let length = bytes.prefix(4).enumerated().reduce(0) { (length, byte) in
      length | Int(byte.element) << (24 - 8 * byte.offset)
    }
    return length < VaultFile.maximumByteCount && zip(bytes.dropFirst(4), number.bytes).allSatisfy(==)
  }

  /// Decrypts the record, which must follow `link`.
  func open(_ key: SecretBytes, after link: [UInt8]) throws(PasskeyCryptoError) -> SecretBytes {
    try box.open(key: key, authenticating: head + link)
  }

  /// Seals a new record that follows `link`, with a fresh nonce. Returns its bytes and its own link.
  static func seal(
    _ plaintext: some ByteSource, sequence: UInt64, _ key: SecretBytes, after link: [UInt8], random: RandomSource
  ) throws(PasskeyCryptoError) -> (bytes: [UInt8], link: [UInt8]) {
    let nonce = try random.bytes(SealedBox.nonceByteCount)
    var writer = ByteWriter(capacity: headByteCount + plaintext.count + SealedBox.tagByteCount)
    writer.write(UInt32(clamping: plaintext.count))
    writer.write(sequence)
    writer.write(nonce)
    writer.write(Digest.sha256(writer.bytes).prefix(hashByteCount))
    let box = try SealedBox.seal(
      plaintext, key: key, nonce: nonce, authenticating: writer.bytes + link)
    writer.write(box.ciphertext)
    writer.write(box.tag)
    return (writer.bytes, [UInt8](box.tag))
  }
}
