// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats

/// The end of the audit chain: the number and hash of the last record. Kept elsewhere, it reveals a later truncation.
package struct AuditHead: Hashable, Sendable {
  /// The number of the last record; zero for an empty chain.
  package var sequence: Int64

  /// The hash of the last record; zeros for an empty chain.
  package var hash: [UInt8]

  static let hashByteCount = 32

  /// The end of an empty chain.
  package static let beginning = Self(sequence: 0, hash: [UInt8](repeating: 0, count: hashByteCount))

  /// Creates a head from its stored fields.
  package init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }
}

extension AuditHead: CustomStringConvertible {
  /// The number, and the hash in hexadecimal.
  package var description: String { "\(sequence) \(Hex.encode(hash))" }
}

/// The end of the audit chain as stored, with the seal that proves that a server with the secret wrote it.
package struct AuditEnd: Hashable, Sendable {
  /// The authentication of the end.
  package enum Seal: Hashable, Sendable {
    /// This process created the store, which has no records yet.
    case new
    /// There is no seal: the server that wrote the trail did not seal, the seal was deleted, or an earlier seal was
    /// invalid.
    case missing
    /// The tag that ``AuditKey/seal(of:)`` makes.
    case tag([UInt8])
  }

  /// The number and hash of the last record.
  package var head: AuditHead

  /// The seal of the head.
  package var seal: Seal

  /// The end of a new store's chain.
  package static let new = Self(head: .beginning, seal: .new)

  /// Creates an end from its stored fields.
  package init(head: AuditHead, seal: Seal) {
    self.head = head
    self.seal = seal
  }

  /// Appends a record and seals the new end with the draft's key.
  ///
  /// The new end is sealed only if the current end is authentic. Otherwise the seal becomes missing, and verification
  /// fails from then on: a later record must not vouch for records that were forged before it.
  ///
  /// - Returns: The appended record, with its personal details.
  package mutating func append(_ draft: AuditDraft) -> AuditEntry {
    let entry = draft.sealed(after: head)
    if let key = draft.key, key.accepts(self) {
      seal = .tag(key.seal(of: entry.record.head))
    } else {
      seal = .missing
    }
    head = entry.record.head
    return entry
  }
}

// seal = HMAC-SHA-256(key, "passkey audit end 1" || sequence as 8 bytes, big-endian || hash of the last record)

/// The key that authenticates the end of the audit chain. It is derived from the server's secret and never stored with
/// the trail.
///
/// The hash chain detects a change to a single record, but an attacker with write access to the database can recompute
/// the whole chain. Without the key the attacker cannot seal another end. The seal covers the sequence number and hash
/// of the last record, whatever the record format.
package struct AuditKey: Hashable, Sendable {
  private let key: SecretBytes

  /// Creates a key from 32 or more derived bytes.
  package init(_ key: SecretBytes) {
    self.key = key
  }

  /// Returns the seal of a chain that ends at `head`.
  package func seal(of head: AuditHead) -> [UInt8] {
    HMAC.tag(of: Self.message(head), key: key)
  }

  /// Returns whether the end is authentic: sealed with this key, or the end of a new store without records.
  package func accepts(_ end: AuditEnd) -> Bool {
    switch end.seal {
    case .new: end.head == .beginning
    case .missing: false
    case .tag(let tag): (try? HMAC.verify(tag, of: Self.message(end.head)[...], key: key)) != nil
    }
  }

  /// Verifies that the end is authentic. Throws ``ServiceError/Code/auditSealMissing`` or
  /// ``ServiceError/Code/auditSealMismatch`` otherwise.
  package func verify(_ end: AuditEnd) throws(ServiceError) {
    guard !accepts(end) else { return }
    if end.seal == .missing { throw ServiceError(.auditSealMissing, "the trail ends at record \(end.head.sequence)") }
    throw ServiceError(.auditSealMismatch, "the trail ends at record \(end.head.sequence)")
  }

  private static func message(_ head: AuditHead) -> [UInt8] {
    var writer = ByteWriter()
    writer.write([UInt8]("passkey audit end 1".utf8))
    writer.write(UInt64(bitPattern: head.sequence))
    writer.write(head.hash)
    return writer.bytes
  }

  /// Hashes nothing, so all keys have the same hash value: a hash of the key would leak information about it.
  package func hash(into hasher: inout Hasher) {}
}
