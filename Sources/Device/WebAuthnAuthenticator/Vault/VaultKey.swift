// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats

/// The keys derived from a passphrase for one vault. They open the vault without the passphrase until it is changed, so
/// keep them secret.
package struct VaultKey: Sendable {
  let cost: VaultCost

  /// The vault's salt. A vault with another salt needs another key.
  package let salt: [UInt8]

  let sealing: SecretBytes
  private let checking: SecretBytes

  /// The scrypt output: a sealing key followed by a key for the passphrase check.
  private static let derivedByteCount = SealedBox.keyByteCount + 32

  /// Derives the keys of a new passphrase with a random salt.
  init(new passphrase: SecretBytes, cost: VaultCost, random: RandomSource, path: String) throws(VaultError) {
    let salt = try mapError(random.bytes(VaultHeader.saltByteCount)) { (error: PasskeyCryptoError) in
      VaultError(.cryptographyFailed, path, "\(error)")
    }
    try self.init(passphrase: passphrase, cost: cost, salt: salt, path: path)
  }

  /// Derives the keys. This takes as long as the cost parameters demand.
  init(passphrase: SecretBytes, cost: VaultCost, salt: [UInt8], path: String) throws(VaultError) {
    do throws(PasskeyCryptoError) {
      let derived = try Scrypt.derive(
        from: passphrase, salt: salt, cost: cost.scrypt, byteCount: Self.derivedByteCount)
      self.init(derived: derived, cost: cost, salt: salt)
    } catch {
      throw VaultError(
        error.code == .libraryFailure ? .cryptographyFailed : .unreasonableCost, path, "\(error)")
    }
  }

  private init(derived: SecretBytes, cost: VaultCost, salt: [UInt8]) {
    sealing = derived.withBytes { (bytes) in SecretBytes(bytes.prefix(SealedBox.keyByteCount)) }
    checking = derived.withBytes { (bytes) in SecretBytes(bytes.dropFirst(SealedBox.keyByteCount)) }
    self.cost = cost
    self.salt = salt
  }

  /// Whether this key sealed the file that begins with these bytes.
  func opens(_ salt: [UInt8], _ bytes: Bytes) -> Bool {
    let rest = bytes.dropFirst(VaultHeader.checkedByteCount)
    return salt == self.salt
      && constantTimeEquals(
        rest.prefix(VaultHeader.checkByteCount), check(of: bytes.prefix(VaultHeader.checkedByteCount)))
  }

  /// Returns the passphrase check of a header that begins with these bytes.
  func check(of bytes: some ByteSource) -> Bytes {
    HMAC.tag(of: bytes, key: checking).prefix(VaultHeader.checkByteCount)
  }

  /// Derives the record key of one generation of the file.
  func recordKey(_ generation: [UInt8]) throws(PasskeyCryptoError) -> SecretBytes {
    try HKDF.derive(
      from: sealing, salt: generation, info: [UInt8]("passkey vault records".utf8),
      byteCount: SealedBox.keyByteCount)
  }
}

// MARK: As bytes, for a program that keeps a vault unlocked

extension VaultKey {
  /// The serialized key. It opens the vault, so keep it secret.
  package var secret: SecretBytes {
    var bytes = StateWriter.bytes { (writer) in
      for number in [cost.logN, cost.r, cost.p] { writer.number(number) }
      for byte in salt { writer.number(byte) }
      writer.secret(sealing)
      writer.secret(checking)
    }
    defer { bytes.wipe() }
    return SecretBytes(bytes)
  }

  /// Restores a key from its ``secret``. Returns nil if the bytes are invalid.
  package init?(secret: SecretBytes) {
    let read = try? secret.withBytes { (bytes) throws(WireError) in
      var reader = StateReader(bytes)
      let cost = VaultCost(logN: try reader.byte(), r: try reader.byte(), p: try reader.byte())
      var salt: [UInt8] = []
      for _ in 0..<VaultHeader.saltByteCount { salt.append(try reader.byte()) }
      let (sealing, checking) = (try reader.secret(), try reader.secret())
      try reader.finish()
      return (cost, salt, sealing, checking)
    }
    guard let (cost, salt, sealing, checking) = read, sealing.count == SealedBox.keyByteCount else { return nil }
    self.cost = cost
    self.salt = salt
    self.sealing = sealing
    self.checking = checking
  }
}

/// The scrypt cost parameters of a vault, stored in its header.
package struct VaultCost: Hashable, Sendable {
  let logN: UInt8
  let r: UInt8
  let p: UInt8

  /// 128 MiB and about a third of a second: the default.
  package static let standard = VaultCost(logN: 17, r: 8, p: 1)

  /// A 64th of that, for tests only.
  package static let test = VaultCost(logN: 11, r: 8, p: 1)

  init(logN: UInt8, r: UInt8, p: UInt8) {
    self.logN = logN
    self.r = r
    self.p = p
  }

  /// The parameters for ``Scrypt``.
  var scrypt: Scrypt.Cost { Scrypt.Cost(n: logN < 32 ? 1 << Int(logN) : 0, r: Int(r), p: Int(p)) }
}
