// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// What a vault's file says before anything is secret.
struct VaultHeader {
  let cost: VaultCost
  let salt: [UInt8]

  /// Tells a wrong passphrase.
  let check: [UInt8]

  /// Fresh with each write, so that it also tells one state of the file from another.
  let nonce: [UInt8]

  let ciphertextByteCount: UInt32

  static let magic = [UInt8]("PASSKEYV".utf8)
  static let version: UInt16 = 1
  static let saltByteCount = 16
  static let checkByteCount = 16

  /// Up to the check, which covers it.
  static let checkedByteCount = magic.count + 2 + 3 + saltByteCount
  static let byteCount = checkedByteCount + checkByteCount + SealedBox.nonceByteCount + 4
}

extension VaultHeader {
  init(from reader: inout ByteReader) throws(WireError) {
    _ = try reader.read(Self.magic.count)
    guard try reader.readUInt16() == Self.version else { throw WireError(.bytesUnknownVersion, at: reader.offset) }
    cost = VaultCost(logN: try reader.readByte(), r: try reader.readByte(), p: try reader.readByte())
    salt = [UInt8](try reader.read(Self.saltByteCount))
    check = [UInt8](try reader.read(Self.checkByteCount))
    nonce = [UInt8](try reader.read(SealedBox.nonceByteCount))
    ciphertextByteCount = try reader.readUInt32()
  }

  /// The part that the check covers.
  var checkedBytes: [UInt8] {
    var writer = ByteWriter(capacity: Self.byteCount)
    writer.write(Self.magic)
    writer.write(Self.version)
    writer.write(cost.logN)
    writer.write(cost.r)
    writer.write(cost.p)
    writer.write(salt)
    return writer.bytes
  }

  /// The whole header with this check.
  func bytes(check: Bytes) -> [UInt8] {
    var writer = ByteWriter(capacity: Self.byteCount)
    writer.write(checkedBytes)
    writer.write(check)
    writer.write(nonce)
    writer.write(ciphertextByteCount)
    return writer.bytes
  }
}
