// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The end of the audit chain as a store keeps it, with the seal that shows that a server with the secret wrote it.
public struct AuditEnd: Hashable, Sendable {
  /// What authenticates the end.
  public enum Seal: Hashable, Sendable {
    /// The store was made by this process and has no record yet.
    case new
    /// There is no seal: a server that did not seal wrote the trail, or the seal was deleted, or an earlier one did not fit.
    case missing
    /// The tag that ``AuditKey/seal(of:)`` makes.
    case tag([UInt8])
  }

  /// The last record's number and hash.
  public var head: AuditHead

  /// What authenticates them.
  public var seal: Seal

  /// The end of a new store's chain.
  public static let new = Self(head: .beginning, seal: .new)

  /// Puts together what a store has.
  public init(head: AuditHead, seal: Seal) {
    self.head = head
    self.seal = seal
  }

  /// Appends a record, and seals the new end with the key of the draft.
  ///
  /// A server seals only behind an end that it accepts. Where the end is not authentic, its seal stays missing, so that
  /// verifying the trail fails from then on: a later record would otherwise vouch for what was forged before it.
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
