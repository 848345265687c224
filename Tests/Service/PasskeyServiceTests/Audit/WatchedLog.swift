// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyTransparencyLog

/// A page that a reader asked for.
enum WatchedPage: Hashable {
  /// Checkpoints from a size on.
  case checkpoints(from: UInt64, limit: Int)
  /// Records from a position on.
  case leaves(from: UInt64, limit: Int)
}

/// A transaction that reads an audit log and notes the pages that were read. It can replace checkpoints.
final class WatchedLog: AuditLogReading {
  private let log: any AuditLogReading
  private(set) var pages: [WatchedPage] = []

  /// Replaces each checkpoint that is read in a page.
  var replacement: (StoredCheckpoint) -> StoredCheckpoint = { $0 }

  init(_ log: any AuditLogReading) {
    self.log = log
  }

  func logs() throws(StorageError) -> [AuditLog] { try log.logs() }

  func checkpoints(of epoch: Int64, from size: UInt64, limit: Int) throws(StorageError) -> [StoredCheckpoint] {
    pages.append(.checkpoints(from: size, limit: limit))
    return try log.checkpoints(of: epoch, from: size, limit: limit).map(replacement)
  }

  func newestCheckpoint(of epoch: Int64, isCosigned: Bool) throws(StorageError) -> StoredCheckpoint? {
    try log.newestCheckpoint(of: epoch, isCosigned: isCosigned)
  }

  func observedCheckpoint(by observer: String) throws(StorageError) -> ObservedCheckpoint? {
    try log.observedCheckpoint(by: observer)
  }

  func observedCheckpoints() throws(StorageError) -> [ObservedCheckpoint] { try log.observedCheckpoints() }

  func lastAnnouncement() throws(StorageError) -> UnixTime? { try log.lastAnnouncement() }

  func tiles(_ positions: [TilePosition], of epoch: Int64) throws(StorageError) -> [Tile] {
    try log.tiles(positions, of: epoch)
  }

  func hasWaiting(in epoch: Int64, from size: UInt64) throws(StorageError) -> Bool {
    try log.hasWaiting(in: epoch, from: size)
  }

  func places(of numbers: [Int64]) throws(StorageError) -> [AuditPlace?] { try log.places(of: numbers) }

  func number(of id: AuditRecordID) throws(StorageError) -> Int64? { try log.number(of: id) }

  func lastNumber() throws(StorageError) -> Int64 { try log.lastNumber() }

  func entry(_ number: Int64) throws(StorageError) -> AuditEntry? { try log.entry(number) }

  func leaves(of epoch: Int64, from position: UInt64, limit: Int) throws(StorageError) -> [StoredLeaf] {
    pages.append(.leaves(from: position, limit: limit))
    return try log.leaves(of: epoch, from: position, limit: limit)
  }

  func page(from number: Int64) throws(StorageError) -> AuditPage { try log.page(from: number) }
}
