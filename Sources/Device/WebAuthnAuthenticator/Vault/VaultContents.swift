// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// The decrypted contents of a vault file and its append position.
struct VaultContents: Sendable {
  let state: DeviceState

  /// The vault's identity.
  let vault: [UInt8]

  let salt: [UInt8]

  /// The sequence number of the last change.
  let sequence: UInt64

  /// The append position.
  let end: VaultEnd
}

/// The end of the last complete record of a vault file.
struct VaultEnd: Sendable {
  /// The offset of the next record. Bytes after it belong to an incomplete record.
  let byteCount: Int

  /// The size of the file when it was last compacted.
  let firstByteCount: Int

  let recordKey: SecretBytes

  /// The tag of the last record.
  let link: [UInt8]

  // 64 KiB, or half of the compacted size  [each byte is rewritten at most three times on average, and a short file is
  // read in a fraction of a millisecond]
  private static let minimumLogByteCount = 64 << 10

  /// Whether `count` bytes may be appended without compacting the file first.
  func hasRoom(for count: Int) -> Bool {
    byteCount - firstByteCount + count <= max(Self.minimumLogByteCount, firstByteCount / 2)
  }
}

extension VaultContents {
  /// Returns the record to append for `change`, and the contents after it.
  func appending(
    _ change: VaultChange, makes state: DeviceState, random: RandomSource
  ) throws(PasskeyCryptoError) -> (bytes: [UInt8], contents: VaultContents) {
    var plaintext = change.encoded
    defer { plaintext.wipe() }
    let (bytes, link) = try VaultRecord.seal(
      plaintext, sequence: sequence &+ 1, end.recordKey, after: end.link, random: random)
    let next = VaultEnd(
      byteCount: end.byteCount + bytes.count, firstByteCount: end.firstByteCount, recordKey: end.recordKey, link: link)
    return (bytes, VaultContents(state: state, vault: vault, salt: salt, sequence: sequence &+ 1, end: next))
  }

  /// Returns a compacted file with only `state`, and its contents.
  static func file(
    of state: DeviceState, vault: [UInt8]?, sequence: UInt64, key: VaultKey, random: RandomSource, path: String
  ) throws(VaultError) -> (bytes: [UInt8], contents: VaultContents) {
    var plaintext = state.encoded
    defer { plaintext.wipe() }
    guard plaintext.count < VaultFile.maximumByteCount else { throw VaultError(.tooLarge, path) }
    do throws(PasskeyCryptoError) {
      let vault = if let vault { vault } else { try random.bytes(VaultHeader.identityByteCount) }
      let generation = try random.bytes(VaultHeader.identityByteCount)
      let header = VaultHeader(key: key, vault: vault, generation: generation).bytes
      let recordKey = try key.recordKey(generation)
      let (record, link) = try VaultRecord.seal(
        plaintext, sequence: sequence, recordKey, after: header, random: random)
      let count = header.count + record.count
      let end = VaultEnd(byteCount: count, firstByteCount: count, recordKey: recordKey, link: link)
      return (
        header + record,
        VaultContents(state: state, vault: vault, salt: key.salt, sequence: sequence, end: end)
      )
    } catch {
      throw VaultError(.cryptographyFailed, path, "\(error)")
    }
  }
}
