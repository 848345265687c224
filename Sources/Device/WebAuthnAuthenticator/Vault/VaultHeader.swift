// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// header = "PASSKEYV" | version 2 (2) | log2 N (1) | r (1) | p (1) | salt (16) | check (16) | vault (16) |
//          generation (16) | hash (16)
//
// The check is the first half of an HMAC over the preceding fields, under a key derived from the passphrase. It detects
// a wrong passphrase. The hash is the first half of SHA-256 over the preceding fields. It detects accidental damage. The
// first record authenticates the whole header.

/// The header of a vault file, readable without the passphrase.
struct VaultHeader: Equatable {
  let cost: VaultCost
  let salt: [UInt8]

  /// Verifies the passphrase.
  let check: [UInt8]

  /// The vault's permanent identity.
  let vault: [UInt8]

  /// A random value of each compacted file. The record key is derived from it.
  let generation: [UInt8]

  static let magic = [UInt8]("PASSKEYV".utf8)
  static let version: UInt16 = 2
  static let saltByteCount = 16
  static let checkByteCount = 16
  static let identityByteCount = 16
  private static let hashByteCount = 16

  /// The length of the part that the check covers.
  static let checkedByteCount = magic.count + 2 + 3 + saltByteCount
  static let byteCount = checkedByteCount + checkByteCount + 2 * identityByteCount + hashByteCount
}

extension VaultHeader {
  /// Creates the header of a file sealed with `key`.
  init(key: VaultKey, vault: [UInt8], generation: [UInt8]) {
    cost = key.cost
    salt = key.salt
    check = [UInt8](key.check(of: Self.checkedBytes(cost: key.cost, salt: key.salt)))
    self.vault = vault
    self.generation = generation
  }

  /// Parses a header whose magic has been checked.
  init(parsing bytes: Bytes) throws(WireError) {
    var reader = ByteReader(bytes)
    _ = try reader.read(Self.magic.count)
    guard try reader.readUInt16() == Self.version else { throw WireError(.bytesUnknownVersion, at: reader.offset) }
    cost = VaultCost(logN: try reader.readByte(), r: try reader.readByte(), p: try reader.readByte())
    salt = [UInt8](try reader.read(Self.saltByteCount))
    check = [UInt8](try reader.read(Self.checkByteCount))
    vault = [UInt8](try reader.read(Self.identityByteCount))
    generation = [UInt8](try reader.read(Self.identityByteCount))
    let covered = bytes[bytes.startIndex..<reader.offset]
    guard try reader.read(Self.hashByteCount) == Digest.sha256(covered).prefix(Self.hashByteCount) else {
      throw WireError(.bytesInvalidValue, at: covered.endIndex)
    }
  }

  /// The encoded header.
  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: Self.byteCount)
    writer.write(Self.checkedBytes(cost: cost, salt: salt))
    writer.write(check)
    writer.write(vault)
    writer.write(generation)
    writer.write(Digest.sha256(writer.bytes).prefix(Self.hashByteCount))
    return writer.bytes
  }

  private static func checkedBytes(cost: VaultCost, salt: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(capacity: byteCount)
    writer.write(magic)
    writer.write(version)
    writer.write(cost.logN)
    writer.write(cost.r)
    writer.write(cost.p)
    writer.write(salt)
    return writer.bytes
  }
}
