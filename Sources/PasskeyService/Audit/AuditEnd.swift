// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The end of the audit chain as stored, with the seal that proves that a server with the secret wrote it.
public struct AuditEnd: Hashable, Sendable {
  /// The authentication of the end.
  public enum Seal: Hashable, Sendable {
    /// This process created the store, which has no records yet.
    case new
    /// There is no seal: the server that wrote the trail did not seal, the seal was deleted, or an earlier seal was
    /// invalid.
    case missing
    /// The tag that ``AuditKey/seal(of:)`` makes.
    case tag([UInt8])
  }

  /// The number and hash of the last record.
  public var head: AuditHead

  /// The seal of the head.
  public var seal: Seal

  /// The end of a new store's chain.
  public static let new = Self(head: .beginning, seal: .new)

  /// Creates an end from its stored fields.
  public init(head: AuditHead, seal: Seal) {
    self.head = head
    self.seal = seal
  }

  /// Appends a record and seals the new end with the draft's key.
  ///
  /// The new end is sealed only if the current end is authentic. Otherwise the seal becomes missing, and verification
  /// fails from then on: a later record must not vouch for records that were forged before it.
  public mutating func append(_ draft: AuditDraft) -> AuditEntry {
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
