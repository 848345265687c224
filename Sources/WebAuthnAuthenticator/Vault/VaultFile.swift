// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// file = header | ciphertext | tag (16) | SHA-256 of all before (32)
// header = "PASSKEYV" | version (2) | log2 N (1) | r (1) | p (1) | salt (16) | check (16) | nonce (12) | length (4)
//
// scrypt gives 64 bytes: the key of AES-256-GCM, which authenticates the header, and the key of the check, the first half of
// an HMAC over the header up to there. So three things can be told apart: a file that was changed by accident (its hash is
// wrong), a passphrase that is wrong (the check is), and a file that was changed on purpose (the tag is).

/// The bytes of a vault's file, taken apart; nothing in it is believed before it was opened.
struct VaultFile {
  let header: VaultHeader
  let headerBytes: Bytes
  let ciphertext: Bytes
  let tag: Bytes

  // 64 MiB  [the limit of 10,000 passkeys takes about 5 MB; a file is read whole]
  static let maximumByteCount = 64 << 20

  /// Takes a file apart, and names what is wrong with it.
  init(parsing bytes: Bytes, path: String) throws(VaultError) {
    guard bytes.starts(with: VaultHeader.magic) else {
      let isBeginning = VaultHeader.magic.starts(with: bytes)
      throw VaultError(isBeginning ? .truncated : .foreign, path, isBeginning ? "it ends in its header" : nil)
    }
    do throws(WireError) {
      var reader = ByteReader(bytes)
      header = try VaultHeader(from: &reader)
      headerBytes = bytes.prefix(VaultHeader.byteCount)
      ciphertext = try reader.read(Int(header.ciphertextByteCount))
      tag = try reader.read(SealedBox.tagByteCount)
      let covered = bytes.prefix(reader.offset - bytes.startIndex)
      let hash = try reader.read(Self.hashByteCount)
      try reader.finish()
      guard Digest.sha256(covered)[...] == hash else { throw WireError(.bytesInvalidValue, at: reader.offset) }
    } catch {
      switch error.code {
      case .bytesTruncated: throw VaultError(.truncated, path, "\(bytes.count) bytes are not all of it")
      case .bytesUnknownVersion: throw VaultError(.newerVersion, path)
      default: throw VaultError(.damaged, path, "its bytes are not those that were written")
      }
    }
  }

  /// Opens the file.
  func open(with key: VaultKey, path: String) throws(VaultError) -> DeviceState {
    guard key.opens(header, headerBytes) else { throw VaultError(.wrongPassphrase, path) }
    let plaintext: SecretBytes
    do throws(CryptoError) {
      plaintext = try SealedBox(nonce: header.nonce[...], ciphertext: ciphertext, tag: tag)
        .open(key: key.sealing, authenticating: headerBytes)
    } catch {
      throw VaultError(.damaged, path, "it was changed by somebody who did not know the passphrase")
    }
    do throws(WireError) {
      return try plaintext.withBytes { (bytes) throws(WireError) in try DeviceState(parsing: bytes) }
    } catch {
      throw VaultError(error.code == .bytesUnknownVersion ? .newerVersion : .damaged, path, "\(error)")
    }
  }

  /// The bytes of a file that holds `state`, sealed under a fresh nonce.
  static func bytes(
    of state: DeviceState, key: VaultKey, random: RandomSource, path: String
  ) throws(VaultError) -> [UInt8] {
    var plaintext = state.encoded
    defer { plaintext.wipe() }
    guard plaintext.count < maximumByteCount else { throw VaultError(.tooLarge, path) }
    do throws(CryptoError) {
      let header = VaultHeader(
        cost: key.cost, salt: key.salt, check: [], nonce: try random.bytes(SealedBox.nonceByteCount),
        ciphertextByteCount: UInt32(clamping: plaintext.count))
      var bytes = key.headerBytes(header)
      let box = try SealedBox.seal(
        plaintext[...], key: key.sealing, nonce: header.nonce[...], authenticating: bytes[...])
      bytes.reserveCapacity(bytes.count + plaintext.count + SealedBox.tagByteCount + hashByteCount)
      bytes += box.ciphertext
      bytes += box.tag
      bytes += Digest.sha256(bytes[...])
      return bytes
    } catch {
      throw VaultError(.cryptographyFailed, path, "\(error)")
    }
  }

  private static let hashByteCount = 32
}
