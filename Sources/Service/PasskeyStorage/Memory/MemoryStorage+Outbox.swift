// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService

extension MemoryStorage {
  /// Writes notices that belong to no audit record.
  package func enqueue(_ notices: [RoutedNotice]) throws(StorageError) {
    trail.outbox.enqueue(notices)
  }

  /// Claims due notices, at most one of each lane.
  package func claim(_ claim: OutboxClaim) throws(StorageError) -> [OutboxItem] {
    trail.outbox.claim(claim)
  }

  /// Writes what became of a claimed notice.
  package func settle(_ item: OutboxItem, _ outcome: OutboxOutcome, at time: UnixTime) throws(StorageError) {
    trail.outbox.settle(item, outcome, at: time)
  }

  /// Lists notices in the order in which they were written.
  package func outboxItems(
    _ selection: OutboxSelection, after number: Int64, limit: Int
  ) throws(StorageError) -> [OutboxItem] {
    Array(trail.outbox.items.lazy.filter { (item) in item.number > number && selection.covers(item) }.prefix(limit))
  }

  /// Makes notices due now, and dead letters wait again.
  package func requeue(_ selection: OutboxSelection, at time: UnixTime) throws(StorageError) -> Int {
    trail.outbox.requeue(selection, at: time)
  }

  /// Deletes notices without delivering them.
  package func drop(_ selection: OutboxSelection, at time: UnixTime) throws(StorageError) -> Int {
    trail.outbox.drop(selection, at: time)
  }

  /// Counts the notices of each destination that has any.
  package func outboxCounts() throws(StorageError) -> [OutboxCount] {
    trail.outbox.counts
  }

  /// Writes a notice for each session that ends before `end` and was not announced yet.
  package func announceExpiring(
    until end: UnixTime, at time: UnixTime, to destinations: [DestinationName], limit: Int
  ) throws(StorageError) -> Int {
    let start = max(trail.outbox.announcedThrough, time)
    guard start < end else { return 0 }
    var ending: [(session: AccountSession, end: UnixTime)] = []
    for session in sessions.all {
      let sessionEnd = max(session.expiry, session.renewalEnd ?? session.expiry)
      if sessionEnd > start, sessionEnd <= end { ending.append((session, sessionEnd)) }
    }
    ending.sort { (one, other) in one.end < other.end }
    let through = ending.count < limit ? end : ending[limit - 1].end
    let notices = ending.prefix { (session) in session.end <= through }.map { (session) in
      RoutedNotice(
        .expiring(session.session.id, of: session.session.user, at: session.end, now: time), to: destinations)
    }
    trail.outbox.enqueue(notices)
    trail.outbox.announcedThrough = through
    return notices.count
  }
}
