// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// file = header | record | record …
//
// The first record contains a complete state, each later one a change of it. The reasons, and the handling of a record
// truncated by a crash, are in Documentation/Decisions/2026-11-22-vault-log.md.

/// A vault file whose header is parsed. Its bytes are authenticated once ``open(with:path:)`` returns.
struct VaultFile {
  let header: VaultHeader
  private let bytes: Bytes

  // 64 MiB  [10,000 passkeys, the limit, take about 5 MB; the whole file is read into memory]
  static let maximumByteCount = 64 << 20

  /// Parses the header.
  init(parsing bytes: some ByteSource, path: String) throws(VaultError) {
    let bytes = bytes.slice
    guard bytes.starts(with: VaultHeader.magic) else {
      let isBeginning = VaultHeader.magic.starts(with: bytes)
      throw VaultError(isBeginning ? .truncated : .foreign, path, isBeginning ? "it ends within its header" : nil)
    }
    do throws(WireError) {
      header = try VaultHeader(parsing: bytes)
    } catch {
      throw VaultError(error, path, "it has only \(bytes.count) bytes")
    }
    self.bytes = bytes
  }

  /// Decrypts the file.
  func open(with key: VaultKey, path: String) throws(VaultError) -> VaultContents {
    guard key.opens(header.salt, bytes) else { throw VaultError(.wrongPassphrase, path) }
    let recordKey = try mapError(key.recordKey(header.generation)) { (error: PasskeyCryptoError) in
      VaultError(.cryptographyFailed, path, "\(error)")
    }
    return try open(withRecordKey: recordKey, path: path)
  }

  private func open(withRecordKey key: SecretBytes, path: String) throws(VaultError) -> VaultContents {
    do throws(WireError) {
      var reader = ByteReader(bytes.dropFirst(VaultHeader.byteCount))
      guard let first = try VaultRecord(from: &reader) else { throw WireError(.bytesTruncated, at: reader.offset) }
      var state = try first.plaintext(key, after: [UInt8](bytes.prefix(VaultHeader.byteCount)), at: reader.offset) {
        (bytes) throws(WireError) in try DeviceState(parsing: bytes)
      }
      let firstByteCount = reader.offset - bytes.startIndex
      var (last, byteCount) = (first, firstByteCount)
      while let (record, change) = try Self.nextChange(&reader, with: key, after: last) {
        try change.apply(to: &state)
        (last, byteCount) = (record, reader.offset - bytes.startIndex)
      }
      let end = VaultEnd(byteCount: byteCount, firstByteCount: firstByteCount, recordKey: key, link: last.link)
      return VaultContents(
        state: state, vault: header.vault, salt: header.salt, sequence: last.sequence, end: end)
    } catch {
      throw VaultError(error, path, "it has only \(bytes.count) bytes")
    }
  }

  /// Returns the next record and its change; nil at the end of the file, or if the last record is incomplete.
  private static func nextChange(
    _ reader: inout ByteReader, with key: SecretBytes, after last: VaultRecord
  ) throws(WireError) -> (VaultRecord, VaultChange)? {
    let rest = reader.rest
    do throws(WireError) {
      guard let record = try VaultRecord(from: &reader, sequence: last.sequence &+ 1) else { return nil }
      let change = try record.plaintext(key, after: last.link, at: reader.offset) { (bytes) throws(WireError) in
        try VaultChange(parsing: bytes)
      }
      return (record, change)
    } catch {
      // After a system crash, the file may have been extended but not written. A complete record never ends in zeros.
      let isLast = reader.isAtEnd && rest.suffix(SealedBox.tagByteCount).allSatisfy { (byte) in byte == 0 }
      guard isLast || rest.allSatisfy({ (byte) in byte == 0 }) else { throw error }
      return nil
    }
  }
}

extension VaultRecord {
  /// Decrypts the record and decodes it with `read`.
  fileprivate func plaintext<Value>(
    _ key: SecretBytes, after link: [UInt8], at offset: Int, _ read: (Bytes) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    guard let plaintext = try? open(key, after: link) else { throw WireError(.bytesInvalidValue, at: offset) }
    return try plaintext.withBytes(read)
  }
}

extension VaultError {
  fileprivate init(_ error: WireError, _ path: String, _ truncated: String) {
    switch error.code {
    case .bytesTruncated: self.init(.truncated, path, truncated)
    case .bytesUnknownVersion: self.init(.newerVersion, path)
    default: self.init(.damaged, path, "its content is malformed")
    }
  }
}
