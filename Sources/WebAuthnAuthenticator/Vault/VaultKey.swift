// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// What a passphrase becomes for one vault: a key that seals it, and one that tells whether the passphrase was right.
struct VaultKey: Sendable {
  let cost: VaultCost
  let salt: [UInt8]
  let sealing: SecretBytes
  private let checking: SecretBytes

  /// The keys of a passphrase that is new to the vault, with a salt of its own.
  init(new passphrase: SecretBytes, cost: VaultCost, random: RandomSource, path: String) throws(VaultError) {
    let salt: [UInt8]
    do throws(CryptoError) {
      salt = try random.bytes(VaultHeader.saltByteCount)
    } catch {
      throw VaultError(.cryptographyFailed, path, "\(error)")
    }
    try self.init(passphrase: passphrase, cost: cost, salt: salt, path: path)
  }

  /// Derives the keys, which takes as long as the cost says.
  init(passphrase: SecretBytes, cost: VaultCost, salt: [UInt8], path: String) throws(VaultError) {
    do throws(CryptoError) {
      let derived = try Scrypt.derive(from: passphrase, salt: salt[...], cost: cost.scrypt, byteCount: 64)
      sealing = derived.withBytes { (bytes) in SecretBytes(bytes.prefix(SealedBox.keyByteCount)) }
      checking = derived.withBytes { (bytes) in SecretBytes(bytes.dropFirst(SealedBox.keyByteCount)) }
      self.cost = cost
      self.salt = salt
    } catch {
      throw VaultError(
        error.code == .libraryFailure ? .cryptographyFailed : .unreasonableCost, path, "\(error)")
    }
  }

  /// The header's bytes, with the check in place.
  func headerBytes(_ header: VaultHeader) -> [UInt8] {
    header.bytes(check: check(of: header.checkedBytes[...]))
  }

  /// Whether the header was written with this key. A passphrase is right or wrong; that the rest is as it was written is
  /// shown by opening it.
  func opens(_ header: VaultHeader, _ bytes: Bytes) -> Bool {
    constantTimeEquals(header.check[...], check(of: bytes.prefix(VaultHeader.checkedByteCount)))
  }

  private func check(of bytes: Bytes) -> Bytes {
    HMAC.tag(of: bytes, key: checking).prefix(VaultHeader.checkByteCount)
  }
}
