// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// Pending ceremonies in memory, at most so many bytes of them.
///
/// A new ceremony always finds room: others make it, the flooding client's first. The order in which ceremonies go is
/// that of ``BoundedCeremonies``, which databases follow too.
struct PendingCeremonies {
  private struct Entry {
    let ceremony: PendingCeremony
    let number: Int
  }

  private var entries: [CeremonyID: Entry] = [:]
  private var lastNumber = 0
  private(set) var byteCount = 0
  let byteLimit: Int

  init(byteLimit: Int = BoundedCeremonies.byteLimit) {
    self.byteLimit = byteLimit
  }

  /// All of them, in no order.
  var all: [PendingCeremony] { entries.values.map(\.ceremony) }

  /// Keeps a ceremony.
  mutating func keep(_ ceremony: PendingCeremony) throws(StorageError) {
    guard entries[ceremony.id] == nil else { throw StorageError(.conflict, "ceremony") }
    let size = BoundedCeremonies.size(of: ceremony)
    if byteCount + size > byteLimit { makeRoom(for: size) }
    lastNumber += 1
    entries[ceremony.id] = Entry(ceremony: ceremony, number: lastNumber)
    byteCount += size
  }

  /// Takes a ceremony out.
  mutating func take(_ id: CeremonyID) -> PendingCeremony? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    byteCount -= BoundedCeremonies.size(of: entry.ceremony)
    return entry.ceremony
  }

  /// Removes those of which something holds, at most so many; how many it removed.
  @discardableResult
  mutating func remove(atMost limit: Int = .max, where isUnwanted: (PendingCeremony) -> Bool) -> Int {
    let unwanted = entries.values.lazy.map(\.ceremony).filter(isUnwanted).prefix(limit).map(\.id)
    return Array(unwanted).count { take($0) != nil }
  }

  /// Removes an eighth of all that fits, and at least the given size. Ranking all ceremonies is expensive, so it happens seldom.
  private mutating func makeRoom(for size: Int) {
    let target = byteLimit - max(size, byteLimit / 8)
    let newestFirst = entries.values.sorted { $0.number > $1.number }.map(\.ceremony)
    var total = 0
    for ceremony in BoundedCeremonies.ordered(newestFirst) {
      total += BoundedCeremonies.size(of: ceremony)
      if total > target { _ = take(ceremony.id) }
    }
  }
}

/// The bound on all pending ceremonies, and the order in which they are kept within it.
///
/// A ceremony has a place among those of its client, and a place among those of its account; the worse of the two counts.
/// Places among the same client's or account's go round: the newest of each account, or of each client, come first, and
/// the second newest of each only then. So a client that floods, or an account that is flooded from many clients, loses
/// its own oldest, and a client that began one ceremony keeps it.
enum BoundedCeremonies {
  // 8 MiB  [some 15,000 sign-ins: as many as begin in five minutes at fifty a second, if no client finishes any]
  static let byteLimit = 8 << 20

  /// The memory that a ceremony takes: its payload, and two identifiers, three arrays and a place in a table.
  static func size(of ceremony: PendingCeremony) -> Int { ceremony.payload.count + overhead }

  private static let overhead = 256

  private struct Pair: Hashable {
    let client: [UInt8]
    let user: UserHandle?
  }

  /// Ceremonies in the order in which they are kept, of those given with the newest first.
  static func ordered(_ newestFirst: [PendingCeremony]) -> [PendingCeremony] {
    var ofPair: [Pair: Int] = [:]
    let byShare = inOrder(newestFirst) { ofPair.next(Pair(client: $0.client, user: $0.user)) }
    var ofClient: [[UInt8]: Int] = [:]
    var ofAccount: [UserHandle: Int] = [:]
    return inOrder(byShare) { (ceremony) in
      // A ceremony for any passkey is no account's.
      max(ofClient.next(ceremony.client), ceremony.user.map { ofAccount.next($0) } ?? 0)
    }
  }

  /// Sorted by a number that is asked for once of each, and otherwise in the same order.
  private static func inOrder(
    _ ceremonies: [PendingCeremony], by place: (PendingCeremony) -> Int
  ) -> [PendingCeremony] {
    ceremonies.enumerated().map { (index: $0.offset, ceremony: $0.element, place: place($0.element)) }
      .sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.ceremony)
  }

  /// Deletes, in a database, what is beyond the limit. `expiry` tells which are newer, to the second.
  static func trimming(to byteLimit: Int) -> SQLStatement {
    SQLStatement(
      """
      DELETE FROM ceremonies WHERE id IN (
        SELECT id FROM (
          SELECT id, sum(size) OVER (ORDER BY CASE WHEN of_client > of_account THEN of_client ELSE of_account END,
            expiry DESC, id) AS total
          FROM (
            SELECT id, size, expiry,
              row_number() OVER (PARTITION BY client ORDER BY share, expiry DESC, id) AS of_client,
              CASE WHEN user_handle IS NULL THEN 0
                ELSE row_number() OVER (PARTITION BY user_handle ORDER BY share, expiry DESC, id) END AS of_account
            FROM (
              SELECT id, user_handle, client, expiry, length(payload) + \(overhead) AS size,
                row_number() OVER (PARTITION BY user_handle, client ORDER BY expiry DESC, id) AS share
              FROM ceremonies) AS shares) AS places) AS totals
        WHERE total > $1)
      """, [.integer(Int64(clamping: byteLimit))])
  }

  /// Adds up what a database has.
  static let sum = SQLStatement("SELECT coalesce(sum(length(payload) + \(overhead)), 0) FROM ceremonies")
}

extension Dictionary where Value == Int {
  /// Counts one more of a key.
  fileprivate mutating func next(_ key: Key) -> Int {
    self[key, default: 0] += 1
    return self[key, default: 0]
  }
}
