// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// file = header | ciphertext | tag (16) | SHA-256 of the preceding bytes (32)
// header = "PASSKEYV" | version 1 (2) | log2 N (1) | r (1) | p (1) | salt (16) | check (16) | nonce (12) | length (4)
//
// The ciphertext is one state, sealed with AES-256-GCM under the passphrase's key. The header is authenticated too.

/// A vault file of version 1, which holds one state and is rewritten for each change. It is read-only: the first change
/// replaces it with a file of the current version.
struct VaultFileVersionOne {
  let cost: VaultCost
  let salt: [UInt8]
  let headerBytes: Bytes

  private let nonce: Bytes
  private let ciphertext: Bytes
  private let tag: Bytes

  static let version: UInt16 = 1
  private static let hashByteCount = 32

  /// Parses a file whose magic and version have been checked.
  init(parsing bytes: Bytes) throws(WireError) {
    var reader = ByteReader(bytes)
    _ = try reader.read(VaultHeader.magic.count + 2)
    cost = VaultCost(logN: try reader.readByte(), r: try reader.readByte(), p: try reader.readByte())
    salt = [UInt8](try reader.read(VaultHeader.saltByteCount))
    _ = try reader.read(VaultHeader.checkByteCount)
    nonce = try reader.read(SealedBox.nonceByteCount)
    let count = try reader.readUInt32()
    headerBytes = bytes[bytes.startIndex..<reader.offset]
    ciphertext = try reader.read(Int(count))
    tag = try reader.read(SealedBox.tagByteCount)
    let covered = bytes[bytes.startIndex..<reader.offset]
    let hash = try reader.read(Self.hashByteCount)
    try reader.finish()
    guard Digest.sha256(covered)[...] == hash else { throw WireError(.bytesInvalidValue, at: reader.offset) }
  }

  /// Decrypts the state with a key that opens the header.
  func open(with key: VaultKey, path: String) throws(VaultError) -> DeviceState {
    let plaintext: SecretBytes
    do throws(PasskeyCryptoError) {
      plaintext = try SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag)
        .open(key: key.sealing, authenticating: headerBytes)
    } catch {
      throw VaultError(.damaged, path, "it was changed without the passphrase")
    }
    do throws(WireError) {
      return try plaintext.withBytes { (bytes) throws(WireError) in try DeviceState(parsing: bytes) }
    } catch {
      throw VaultError(error.code == .bytesUnknownVersion ? .newerVersion : .damaged, path, "\(error)")
    }
  }
}
