// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyTransparencyLog

/// An epoch of the audit log: one Merkle tree with one origin and one key.
package struct AuditLog: Hashable, Sendable {
  /// The number of the epoch. The first log of a store has 1.
  package var epoch: Int64

  /// The name of the log, which is also the name of its key.
  package var origin: String

  /// The text of the key that verifies checkpoints (``/PasskeyTransparencyLog/NoteKey``).
  package var verifier: String

  /// Creates a log from its stored fields.
  package init(epoch: Int64, origin: String, verifier: String) {
    self.epoch = epoch
    self.origin = origin
    self.verifier = verifier
  }

  /// Returns the origin of an epoch's log.
  static func origin(of epoch: Int64, in store: String, _ relyingParty: String) -> String {
    "\(relyingParty)/audit/\(store)/\(epoch)"
  }

  /// Whether an origin is that of another log of this relying party, and not of an earlier epoch. Then a database with that log
  /// was replaced by the one with this log.
  package func replaces(_ origin: String) -> Bool {
    guard origin != self.origin, let other = Self.epoch(inOrigin: origin) else { return false }
    return other >= epoch && origin.prefix { $0 != "/" } == self.origin.prefix { $0 != "/" }
  }

  /// Returns the number at the end of an origin; nil without one.
  static func epoch(inOrigin origin: String) -> Int64? { origin.split(separator: "/").last.flatMap { Int64($0) } }
}

/// The place of a record in the audit log.
package struct AuditPlace: Hashable, Sendable {
  /// The epoch.
  package var epoch: Int64

  /// The index of the record in the epoch's tree.
  package var position: UInt64

  /// Creates a place from its stored fields.
  package init(epoch: Int64, position: UInt64) {
    self.epoch = epoch
    self.position = position
  }
}

/// Whether a stored record has its place in the log.
package enum AuditPlacement: Hashable, Sendable {
  /// The record has a place.
  case placed(AuditPlace)
  /// The next pass of a sequencer places the record.
  case waiting
  /// No pass will place the record.
  case none
}

/// A checkpoint as stored.
package struct StoredCheckpoint: Hashable, Sendable {
  /// The epoch.
  package var epoch: Int64

  /// The number of records.
  package var size: UInt64

  /// The time of the signature.
  package var signed: UnixTime

  /// Whether a witness cosigned it.
  package var isCosigned: Bool

  /// The signed note.
  package var note: Bytes

  /// Creates a checkpoint from its stored fields.
  package init(epoch: Int64, size: UInt64, signed: UnixTime, isCosigned: Bool, note: some ByteSource) {
    self.epoch = epoch
    self.size = size
    self.signed = signed
    self.isCosigned = isCosigned
    self.note = note.slice
  }
}

/// The last checkpoint that an observer of the log has.
package struct ObservedCheckpoint: Hashable, Sendable {
  /// The observer: the verifier key of a witness that cosigned the checkpoint, the event that announced it, or a witness that
  /// contradicted it.
  package var observer: String

  /// The epoch.
  package var epoch: Int64

  /// The number of records.
  package var size: UInt64

  /// Creates an observation from its stored fields.
  package init(observer: String, epoch: Int64, size: UInt64) {
    self.observer = observer
    self.epoch = epoch
    self.size = size
  }
}

/// A position of the log with the record that is stored for it, not verified.
package struct StoredLeaf: Hashable, Sendable {
  /// The index in the epoch's tree.
  package var position: UInt64

  /// The number of the record.
  package var number: Int64

  /// The record; nil if the store does not have it.
  package var encoded: Bytes?

  /// Creates a leaf from its stored fields.
  package init(position: UInt64, number: Int64, encoded: Bytes?) {
    self.position = position
    self.number = number
    self.encoded = encoded
  }
}

/// A page of stored rows of the trail in the order of their numbers, not verified.
package struct AuditPage: Sendable {
  /// The records.
  package var records: [StoredAuditRecord]

  /// The details whose numbers are in the page's range, even without a matching record.
  package var details: [StoredPersonalDetail]

  /// The first number of the next page; nil on the last page.
  package var next: Int64?

  /// Creates a page.
  package init(records: [StoredAuditRecord], details: [StoredPersonalDetail], next: Int64?) {
    self.records = records
    self.details = details
    self.next = next
  }
}

/// The beginning of an epoch, which a store writes in one transaction.
package struct AuditLogBeginning: Sendable {
  /// The log.
  package var log: AuditLog

  /// The end that the previous epoch must still have; nil without one.
  package var predecessor: Predecessor?

  /// The first record of the log.
  package var record: AuditDraft

  /// The tile with the hash of the first record.
  package var tile: Tile

  /// The checkpoint of the first record.
  package var checkpoint: StoredCheckpoint

  /// The newest checkpoint of an epoch.
  package struct Predecessor: Hashable, Sendable {
    /// The epoch.
    package var epoch: Int64

    /// The number of records.
    package var size: UInt64
  }
}
