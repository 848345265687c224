// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
internal import WireFormats

// seal = HMAC-SHA-256(key, "passkey audit end 1" || sequence as 8 bytes, big-endian || hash of the last record)

/// The key that authenticates the end of the audit chain. It is derived from the server's secret and never stored with the
/// trail.
///
/// The hashes of the chain show that no single record was changed, but whoever can write the database can compute them anew.
/// Without the key they cannot make the seal of another end. The seal covers the sequence number and hash of the last record,
/// whatever the format of the records is.
public struct AuditKey: Hashable, Sendable {
  private let key: SecretBytes

  /// Takes a derived key of 32 bytes or more.
  public init(_ key: SecretBytes) {
    self.key = key
  }

  /// The seal of a chain that ends so.
  public func seal(of head: AuditHead) -> [UInt8] {
    HMAC.tag(of: Self.message(head)[...], key: key)
  }

  /// Whether the end is authentic: sealed with this key, or that of a new store which has no record yet.
  public func accepts(_ end: AuditEnd) -> Bool {
    switch end.seal {
    case .new: end.head == .beginning
    case .missing: false
    case .tag(let tag): (try? HMAC.verify(tag[...], of: Self.message(end.head)[...], key: key)) != nil
    }
  }

  /// Demands that the end is authentic.
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

  /// All keys hash alike: a hash of a key would be a trace of it.
  public func hash(into hasher: inout Hasher) {}
}
