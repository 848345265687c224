// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import PasskeyTransparencyLog

/// A transaction that reads the audit log.
package protocol AuditLogReading {
  /// Returns all epochs, the oldest first.
  func logs() throws(StorageError) -> [AuditLog]

  /// Returns checkpoints of an epoch, the smallest first.
  func checkpoints(of epoch: Int64, from size: UInt64, limit: Int) throws(StorageError) -> [StoredCheckpoint]

  /// Returns the largest checkpoint of an epoch; with `isCosigned`, the largest one that a witness cosigned.
  func newestCheckpoint(of epoch: Int64, isCosigned: Bool) throws(StorageError) -> StoredCheckpoint?

  /// Returns the last checkpoint that an observer is known to have; nil for none.
  func observedCheckpoint(by observer: String) throws(StorageError) -> ObservedCheckpoint?

  /// Returns the last checkpoints of all observers.
  func observedCheckpoints() throws(StorageError) -> [ObservedCheckpoint]

  /// Returns the time of the last announcement; nil before the first one.
  func lastAnnouncement() throws(StorageError) -> UnixTime?

  /// Returns the stored tiles among these. Malformed ones count as missing.
  func tiles(_ positions: [TilePosition], of epoch: Int64) throws(StorageError) -> [Tile]

  /// Returns whether ``AuditLogWriting/placeWaiting(in:from:limit:)`` would return records. The epoch is the newest one.
  func hasWaiting(in epoch: Int64, from size: UInt64) throws(StorageError) -> Bool

  /// Returns the places of records, in the order of the numbers; nil for a record without a place.
  func places(of numbers: [Int64]) throws(StorageError) -> [AuditPlace?]

  /// Returns the number of the record with this ID. It may read the whole trail.
  func number(of id: AuditRecordID) throws(StorageError) -> Int64?

  /// Returns the number of the newest record; 0 without any.
  func lastNumber() throws(StorageError) -> Int64

  /// Returns a record with its personal details.
  func entry(_ number: Int64) throws(StorageError) -> AuditEntry?

  /// Returns positions of an epoch with their records, ascending.
  func leaves(of epoch: Int64, from position: UInt64, limit: Int) throws(StorageError) -> [StoredLeaf]

  /// Returns rows in the order of the numbers that they are filed under. Consecutive pages cover every row.
  func page(from number: Int64) throws(StorageError) -> AuditPage
}

extension AuditLogReading {
  /// Returns the place of a record.
  package func place(of number: Int64) throws(StorageError) -> AuditPlace? {
    try places(of: [number]).first ?? nil
  }
}

/// A transaction that changes the audit log.
package protocol AuditLogWriting: AuditLogReading {
  /// Gives the waiting records the positions from `size` on, in the order of their numbers, and returns them encoded.
  func placeWaiting(in epoch: Int64, from size: UInt64, limit: Int) throws(StorageError) -> [Bytes]

  /// Writes tiles over their earlier forms.
  func write(_ tiles: [Tile], of epoch: Int64) throws(StorageError)

  /// Writes a checkpoint, or another note for one of the same size.
  func write(_ checkpoint: StoredCheckpoint) throws(StorageError)

  /// Replaces the last checkpoint that an observer is known to have.
  func write(_ observed: ObservedCheckpoint) throws(StorageError)

  /// Writes notices about a checkpoint to the outbox, and the time of the announcement.
  func announce(_ notices: [RoutedNotice], at time: UnixTime) throws(StorageError)
}
