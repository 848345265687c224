// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// The log beside the records of a memory store.
struct MemoryLogState {
  var logs: [AuditLog] = []
  /// The numbers of the records at each position, by epoch.
  var numbers: [Int64: [Int64]] = [:]
  var places: [Int64: AuditPlace] = [:]
  /// The highest number that has a place.
  var lastPlaced: Int64 = 0
  var tiles: [Int64: [TilePosition: Tile]] = [:]
  var checkpoints: [Int64: [StoredCheckpoint]] = [:]
  var observed: [String: ObservedCheckpoint] = [:]
  var lastAnnouncement: UnixTime?

  /// Deletes checkpoints of a period that a later one of the same hour supersedes, at most `limit`. Returns their number.
  mutating func thin(_ period: Range<UnixTime>, limit: Int) -> Int {
    let count = thinUncosigned(period, limit: limit)
    return count + thinCosigned(period, limit: limit - count)
  }

  private mutating func thinCosigned(_ period: Range<UnixTime>, limit: Int) -> Int {
    var count = 0
    for epoch in checkpoints.keys.sorted() {
      let cosigned = (checkpoints[epoch] ?? []).filter { $0.isCosigned && period.contains($0.signed) }
      let superseded = Dictionary(grouping: cosigned, by: \.hour).values.flatMap(\.superseded).map(\.size).sorted()
      let deleted = Set(superseded.prefix(limit - count))
      checkpoints[epoch]?.removeAll { deleted.contains($0.size) }
      count += deleted.count
    }
    return count
  }

  private mutating func thinUncosigned(_ period: Range<UnixTime>, limit: Int) -> Int {
    var count = 0
    for (epoch, all) in checkpoints {
      let hasSuccessor = zip(all, all.dropFirst()).map { (one, next) in one.hour == next.hour } + [false]
      checkpoints[epoch] = zip(all, hasSuccessor).filter { (checkpoint, hasSuccessor) in
        let isKept = checkpoint.isCosigned || !hasSuccessor || !period.contains(checkpoint.signed) || count == limit
        if !isKept { count += 1 }
        return isKept
      }.map(\.0)
    }
    return count
  }

  mutating func place(_ number: Int64, in epoch: Int64) {
    places[number] = AuditPlace(epoch: epoch, position: UInt64(numbers[epoch]?.count ?? 0))
    numbers[epoch, default: []].append(number)
    lastPlaced = max(lastPlaced, number)
  }
}

extension StoredCheckpoint {
  /// The hour in which it was signed.
  fileprivate var hour: Int64 { signed.secondsSince1970 / 3_600 }
}

/// A transaction on a copy of a memory store's trail.
final class MemoryAuditLog: AuditLogWriting {
  private(set) var trail: MemoryAuditTrail

  init(_ trail: MemoryAuditTrail) {
    self.trail = trail
  }

  func logs() -> [AuditLog] { trail.log.logs }

  func chainEnd() -> AuditEnd { trail.end }

  func checkpoints(of epoch: Int64, from size: UInt64, limit: Int) -> [StoredCheckpoint] {
    Array((trail.log.checkpoints[epoch] ?? []).lazy.filter { $0.size >= size }.prefix(limit))
  }

  func newestCheckpoint(of epoch: Int64, isCosigned: Bool) -> StoredCheckpoint? {
    trail.log.checkpoints[epoch]?.last { $0.isCosigned || !isCosigned }
  }

  func tiles(_ positions: [TilePosition], of epoch: Int64) -> [Tile] {
    positions.compactMap { trail.log.tiles[epoch]?[$0] }
  }

  func hasWaiting(in epoch: Int64, from size: UInt64) -> Bool {
    trail.log.lastPlaced < Int64(trail.count) || UInt64(trail.log.numbers[epoch]?.count ?? 0) > size
  }

  func places(of numbers: [Int64]) -> [AuditPlace?] { numbers.map { trail.log.places[$0] } }

  func number(of id: AuditRecordID) -> Int64? {
    trail.entries(after: 0, of: nil, limit: .max).first { $0.record.id == id }?.record.sequence
  }

  func lastNumber() -> Int64 { Int64(trail.count) }

  func entry(_ number: Int64) -> AuditEntry? {
    number > 0 ? trail.entries(after: number - 1, of: nil, limit: 1).first : nil
  }

  func leaves(of epoch: Int64, from position: UInt64, limit: Int) -> [StoredLeaf] {
    let numbers = trail.log.numbers[epoch] ?? []
    return numbers.enumerated().dropFirst(Int(clamping: position)).prefix(limit).map { (index, number) in
      StoredLeaf(position: UInt64(index), number: number, encoded: entry(number)?.record.encoded[...])
    }
  }

  func page(from number: Int64) -> AuditPage {
    let entries = trail.entries(after: number > 1 ? number - 1 : 0, of: nil, limit: .max)
    let details = entries.flatMap { (entry) in
      entry.personalDetails.map { (detail) in
        StoredPersonalDetail(
          sequence: entry.record.sequence, detail: detail, recorded: entry.record.time, isFoundByRecord: false)
      }
    }
    return AuditPage(
      records: entries.map { (entry) in
        StoredAuditRecord(
          indexKeys: entry.record.indexKeys, encoded: entry.record.encoded[...], placement: placement(of: entry.record))
      }, details: details, next: nil)
  }

  private func placement(of record: AuditRecord) -> AuditPlacement {
    if let place = trail.log.places[record.sequence] { return .placed(place) }
    return !trail.log.logs.isEmpty && record.sequence > trail.log.lastPlaced ? .waiting : .none
  }

  func placeWaiting(in epoch: Int64, from size: UInt64, limit: Int) -> [Bytes] {
    for entry in trail.entries(after: trail.log.lastPlaced, of: nil, limit: limit) {
      trail.log.place(entry.record.sequence, in: epoch)
    }
    // The beginning of an epoch has placed the records that waited before it.
    return leaves(of: epoch, from: size, limit: .max).compactMap(\.encoded)
  }

  func write(_ tiles: [Tile], of epoch: Int64) {
    for tile in tiles { trail.log.tiles[epoch, default: [:]][tile.position] = tile }
  }

  func write(_ checkpoint: StoredCheckpoint) {
    trail.log.checkpoints[checkpoint.epoch, default: []].removeAll { $0.size == checkpoint.size }
    trail.log.checkpoints[checkpoint.epoch, default: []].append(checkpoint)
    trail.log.checkpoints[checkpoint.epoch]?.sort { $0.size < $1.size }
  }

  func observedCheckpoint(by observer: String) -> ObservedCheckpoint? { trail.log.observed[observer] }

  func observedCheckpoints() -> [ObservedCheckpoint] { Array(trail.log.observed.values) }

  func write(_ observed: ObservedCheckpoint) { trail.log.observed[observed.observer] = observed }

  func lastAnnouncement() -> UnixTime? { trail.log.lastAnnouncement }

  func announce(_ notices: [RoutedNotice], at time: UnixTime) {
    trail.outbox.enqueue(notices)
    trail.log.lastAnnouncement = time
  }

  /// Begins an epoch. Returns false if the trail has another end.
  func begin(_ beginning: AuditLogBeginning) -> Bool {
    switch beginning.predecessor {
    case .chain(let head): guard trail.log.logs.isEmpty, trail.end.head == head else { return false }
    case .log(let epoch, let size):
      guard trail.log.logs.last?.epoch == epoch, newestCheckpoint(of: epoch, isCosigned: false)?.size == size else {
        return false
      }
    }
    let epoch = beginning.log.epoch
    // Without a log, no record of the chain waits.
    let waiting = trail.log.logs.isEmpty ? [] : trail.entries(after: trail.log.lastPlaced, of: nil, limit: .max)
    trail.log.logs.append(beginning.log)
    trail.seal([beginning.record])
    trail.log.place(Int64(trail.count), in: epoch)
    for entry in waiting { trail.log.place(entry.record.sequence, in: epoch) }
    write([beginning.tile], of: epoch)
    write(beginning.checkpoint)
    return true
  }
}
