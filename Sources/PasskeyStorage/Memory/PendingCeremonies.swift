// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// Pending ceremonies in memory, within a byte limit.
///
/// A new ceremony always fits: others are evicted for it, those of a flooding client first. ``BoundedCeremonies``
/// defines the eviction order, which the databases use too.
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

  /// All ceremonies, unordered.
  var all: [PendingCeremony] { entries.values.map(\.ceremony) }

  /// Stores a ceremony, evicting others if it does not fit. Throws if its ID is already in use.
  mutating func store(_ ceremony: PendingCeremony) throws(StorageError) {
    guard entries[ceremony.id] == nil else { throw StorageError(.conflict, "ceremony") }
    let size = BoundedCeremonies.size(of: ceremony)
    if byteCount + size > byteLimit { makeRoom(for: size) }
    lastNumber += 1
    entries[ceremony.id] = Entry(ceremony: ceremony, number: lastNumber)
    byteCount += size
  }

  /// Removes and returns a ceremony.
  mutating func take(_ id: CeremonyID) -> PendingCeremony? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    byteCount -= BoundedCeremonies.size(of: entry.ceremony)
    return entry.ceremony
  }

  /// Removes at most `limit` ceremonies that satisfy a predicate and returns their number.
  @discardableResult
  mutating func remove(atMost limit: Int = .max, where isUnwanted: (PendingCeremony) -> Bool) -> Int {
    let unwanted = entries.values.lazy.map(\.ceremony).filter(isUnwanted).prefix(limit).map(\.id)
    return Array(unwanted).count { take($0) != nil }
  }

  /// Evicts at least `size` bytes and at least an eighth of the limit. Ranking all ceremonies is expensive, so larger
  /// batches make it rare.
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

/// The size limit of all pending ceremonies, and the order in which they are evicted.
///
/// A ceremony has a rank among those of its client and a rank among those of its account; the worse one counts. Within
/// a client, ranks alternate between its accounts, and within an account between its clients: the newest ceremony of
/// each comes first, then the second newest of each. A flooding client therefore loses its own oldest ceremonies, as
/// does an account flooded from many clients. A client with a single ceremony keeps it.
enum BoundedCeremonies {
  // 8 MiB  [about 15,000 ceremonies: five minutes at fifty a second, if no client finishes any]
  static let byteLimit = 8 << 20

  /// The memory a ceremony uses: its payload plus two identifiers, three arrays and a dictionary slot.
  static func size(of ceremony: PendingCeremony) -> Int { ceremony.payload.count + overhead }

  private static let overhead = 256

  private struct Pair: Hashable {
    let client: [UInt8]
    let user: UserHandle?
  }

  /// Sorts ceremonies given newest first, so that those to evict first come last.
  static func ordered(_ newestFirst: [PendingCeremony]) -> [PendingCeremony] {
    var ofPair: [Pair: Int] = [:]
    let byShare = inOrder(newestFirst) { ofPair.next(Pair(client: $0.client, user: $0.user)) }
    var ofClient: [[UInt8]: Int] = [:]
    var ofAccount: [UserHandle: Int] = [:]
    return inOrder(byShare) { (ceremony) in
      // A ceremony for any passkey belongs to no account and ranks only by client.
      max(ofClient.next(ceremony.client), ceremony.user.map { ofAccount.next($0) } ?? 0)
    }
  }

  /// Sorts stably by rank, computing the rank of each ceremony once.
  private static func inOrder(
    _ ceremonies: [PendingCeremony], by place: (PendingCeremony) -> Int
  ) -> [PendingCeremony] {
    ceremonies.enumerated().map { (index: $0.offset, ceremony: $0.element, place: place($0.element)) }
      .sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.ceremony)
  }

  /// A statement that deletes the ceremonies above the byte limit from a database. `expiry` orders them by age, to the
  /// second.
  static func eviction(to byteLimit: Int) -> SQLStatement {
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

  /// A statement that sums the sizes of the ceremonies in a database.
  static let sum = SQLStatement("SELECT coalesce(sum(length(payload) + \(overhead)), 0) FROM ceremonies")
}

extension Dictionary where Value == Int {
  /// Increments the count of a key and returns it.
  fileprivate mutating func next(_ key: Key) -> Int {
    self[key, default: 0] += 1
    return self[key, default: 0]
  }
}
