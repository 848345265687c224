// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The advisory locks of write transactions. They end with their transaction, so they work behind a pooler.
///
/// Every write but a free one and a change of the log takes the lock of the store: a serial one exclusively, the others
/// shared. Work on objects also takes a lock of each object, and work on the notices of a destination one of the
/// destination. Changes of the log have a lock of their own. Advisory locks write nothing, unlike locks of rows.
enum PostgreSQLLocks {
  private static let store = SQLDialect.advisoryKey(of: "accounts")

  /// Locks the store against all other writes.
  static let exclusive = SQLStatement("SELECT pg_advisory_xact_lock(\(store))")

  /// Locks the store against serial writes.
  static let shared = SQLStatement("SELECT pg_advisory_xact_lock_shared(\(store))")

  // The locks of objects and destinations follow that of the store, because PostgreSQL computes the output list last. In
  // another order two batches and a serial write could deadlock.
  private static let sharedWithOthers =
    """
    SELECT pg_advisory_xact_lock(key # ('accounts'::regclass::oid::bigint << 32)) FROM pg_advisory_xact_lock_shared(\(store)) AS store,
    unnest($1::bigint[]) AS key
    """

  /// Returns the statements that lock what writes of these orders work on, all of it at once and in one order, so that two
  /// batches do not deadlock; none for free writes and changes of the log.
  ///
  /// Objects that many writes lock come first: a batch that waits for one holds no account, for which sign-ins would wait.
  /// The key of the table in each key keeps the stores of two schemas apart.
  static func statements(for orders: [WriteOrder?]) -> [SQLStatement] {
    var (contended, keys): (Set<Int64>, Set<Int64>) = ([], [])
    var isShared = false
    for order in orders {
      switch order {
      case .serial?: return [exclusive]
      // The lock of the log comes first: sign-ins go on while this transaction waits for the commit of a pass.
      case .beginning?: return [SQLDialect.postgreSQL.logLock, exclusive].compactMap(\.self)
      case .objects(let objects)?, .embedded(let objects)?:
        isShared = true
        for object in objects {
          let key = key(of: object.name)
          if object.isContended { contended.insert(key) } else { keys.insert(key) }
        }
      case .delivery(let destination)?:
        isShared = true
        keys.insert(key(of: destination.utf8))
      case .sequencing?, .unordered?, nil: break
      }
    }
    guard isShared else { return [] }
    let ordered = contended.sorted() + keys.subtracting(contended).sorted()
    return [ordered.isEmpty ? shared : SQLStatement(sharedWithOthers, [.array(of: ordered)])]
  }

  /// The FNV-1a hash of a name. Work on objects with equal hashes waits for each other.
  private static func key(of name: some Sequence<UInt8>) -> Int64 {
    Int64(
      bitPattern: name.reduce(0xcbf2_9ce4_8422_2325) { (hash: UInt64, byte) in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      })
  }
}

extension SQLValue {
  /// An array of PostgreSQL's type `bigint[]` in its binary form.
  fileprivate static func array(of integers: [Int64]) -> SQLValue {
    // One dimension, no null, elements of type int8, and the first has index 1.
    var words: [Int32] = [1, 0, 20, Int32(clamping: integers.count), 1]
    for integer in integers {
      words += [8, Int32(truncatingIfNeeded: integer >> 32), Int32(truncatingIfNeeded: integer)]
    }
    return .bytes(
      words.flatMap { (word) in (0..<4).map { (place) in UInt8(truncatingIfNeeded: word >> (24 - 8 * place)) } }[...])
  }
}
