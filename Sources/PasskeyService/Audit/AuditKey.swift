// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
internal import WireFormats

// seal = HMAC-SHA-256(key, "passkey audit end 1" || sequence as 8 bytes, big-endian || hash of the last record)

/// The key that authenticates the end of the audit chain. It is derived from the server's secret and never stored with
/// the trail.
///
/// The hash chain detects a change to a single record, but an attacker with write access to the database can recompute
/// the whole chain. Without the key the attacker cannot seal another end. The seal covers the sequence number and hash
/// of the last record, whatever the record format.
public struct AuditKey: Hashable, Sendable {
  private let key: SecretBytes

  /// Creates a key from 32 or more derived bytes.
  public init(_ key: SecretBytes) {
    self.key = key
  }

  /// Returns the seal of a chain that ends at `head`.
  public func seal(of head: AuditHead) -> [UInt8] {
    HMAC.tag(of: Self.message(head)[...], key: key)
  }

  /// Returns whether the end is authentic: sealed with this key, or the end of a new store without records.
  public func accepts(_ end: AuditEnd) -> Bool {
    switch end.seal {
    case .new: end.head == .beginning
    case .missing: false
    case .tag(let tag): (try? HMAC.verify(tag[...], of: Self.message(end.head)[...], key: key)) != nil
    }
  }

  /// Verifies that the end is authentic. Throws ``ServiceError/Code/auditSealMissing`` or
  /// ``ServiceError/Code/auditSealMismatch`` otherwise.
  public func verify(_ end: AuditEnd) throws(ServiceError) {
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
  public func hash(into hasher: inout Hasher) {}
}
