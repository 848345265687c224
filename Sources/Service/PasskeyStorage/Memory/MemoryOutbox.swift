// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import WebAuthnTypes

/// The outbox of a store in memory: its items in the order of their numbers.
struct MemoryOutbox {
  let signal = OutboxSignal()
  private(set) var items: [OutboxItem] = []
  private var lastNumber: Int64 = 0

  /// The end of the period in which expiring sessions were announced.
  var announcedThrough = UnixTime(secondsSince1970: 0)

  mutating func enqueue(_ notices: [RoutedNotice]) {
    guard !notices.isEmpty else { return }
    for routed in notices {
      for destination in routed.destinations {
        lastNumber += 1
        let isFirst = !items.contains { (item) in item.isIn(destination, routed.notice.lane) }
        items.append(
          OutboxItem(
            number: lastNumber, notice: routed.notice, destination: destination, due: isFirst ? routed.notice.time : nil
          ))
      }
    }
    signal.give()
  }

  mutating func claim(_ claim: OutboxClaim) -> [OutboxItem] {
    let due = items.indices
      .filter { (place) in
        items[place].destination == claim.destination && items[place].due.map { (due) in due <= claim.time } == true
      }
      .sorted { (one, other) in items[one].precedes(items[other]) }
    let strangers = due.filter { (place) in items[place].notice.rank == .stranger }.prefix(claim.strangerLimit)
    let others = due.filter { (place) in items[place].notice.rank != .stranger }
    return (others + strangers).prefix(claim.limit).sorted().map { (place) in
      items[place].due = claim.end
      items[place].owner = claim.owner
      return items[place]
    }
  }

  mutating func settle(_ settled: OutboxItem, _ outcome: OutboxOutcome, at time: UnixTime) {
    guard let place = items.firstIndex(where: { (item) in item.number == settled.number }) else { return }
    if outcome == .delivered {
      items.remove(at: place)
      return promote(settled.destination, settled.lane, at: time)
    }
    guard items[place].owner == settled.owner, items[place].died == nil else { return }
    items[place].failedAttempts += 1
    items[place].owner = nil
    switch outcome {
    case .delivered: break
    case .retry(let due, let delivered, let reason):
      items[place].due = due
      items[place].delivered = delivered
      items[place].reason = reason
    case .dead(let reason):
      items[place].due = nil
      items[place].died = time
      items[place].reason = reason
      promote(settled.destination, settled.lane, at: time)
    }
  }

  mutating func requeue(_ selection: OutboxSelection, at time: UnixTime) -> Int {
    var count = 0
    for place in items.indices where selection.covers(items[place]) {
      let item = items[place]
      guard item.died != nil || (item.due != nil && item.owner == nil) else { continue }
      count += 1
      items[place].failedAttempts = 0
      items[place].died = nil
      if item.died == nil {
        items[place].due = time
      } else if !items.contains(where: { (other) in other.isIn(item.destination, item.lane) && other.due != nil }) {
        promote(item.destination, item.lane, at: time)
      }
    }
    signal.give()
    return count
  }

  mutating func drop(_ selection: OutboxSelection, at time: UnixTime) -> Int {
    let dropped = items.filter(selection.covers)
    items.removeAll(where: selection.covers)
    for item in dropped { promote(item.destination, item.lane, at: time) }
    return dropped.count
  }

  /// Deletes the dead letters of an account.
  mutating func removeDead(of user: UserHandle) {
    items.removeAll { (item) in item.died != nil && item.notice.account == user }
  }

  var counts: [OutboxCount] {
    Dictionary(grouping: items, by: \.destination).map { (destination, items) in
      let waiting = items.filter { (item) in item.died == nil }
      return OutboxCount(
        destination: destination, waiting: waiting.count, dead: items.count - waiting.count,
        oldest: waiting.map(\.notice.time).min())
    }
    .sorted { (one, other) in
      one.destination.rawValue.utf8.lexicographicallyPrecedes(other.destination.rawValue.utf8)
    }
  }

  /// Makes the first item of a lane due, unless it already is.
  private mutating func promote(_ destination: DestinationName, _ lane: [UInt8], at time: UnixTime) {
    guard let place = items.firstIndex(where: { (item) in item.isIn(destination, lane) }), items[place].due == nil
    else { return }
    items[place].due = time
    signal.give()
  }
}

extension OutboxItem {
  /// Whether the item is sent before another one that is due too.
  fileprivate func precedes(_ other: OutboxItem) -> Bool {
    guard notice.rank == other.notice.rank else { return notice.rank < other.notice.rank }
    guard let due, let otherDue = other.due, due != otherDue else { return number < other.number }
    return due < otherDue
  }

  /// Whether the item waits in this lane.
  fileprivate func isIn(_ destination: DestinationName, _ lane: [UInt8]) -> Bool {
    died == nil && self.destination == destination && self.lane == lane
  }
}
