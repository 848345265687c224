// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Storage of the notices that wait for their delivery.
///
/// Stores also write the notices of audit drafts (``AuditDraft/notices``), in the transaction that appends the audit
/// records.
package protocol OutboxStorage: Sendable {
  /// A signal after each commit of this store object that wrote notices.
  var outboxSignal: OutboxSignal { get }

  /// Writes notices that belong to no audit record.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func enqueue(_ notices: [RoutedNotice]) async throws(StorageError)

  /// Claims due notices. Of any number of concurrent calls, on any number of servers, only one gets each notice.
  ///
  /// A power failure may undo the latest claims and results: their notices are then delivered again.
  ///
  /// - Returns: The notices, at most one of each lane: those of the first ``NoticeRank`` first, and of a rank those due
  ///   longest.
  /// - Throws: A ``StorageError`` if the store fails.
  func claim(_ claim: OutboxClaim) async throws(StorageError) -> [OutboxItem]

  /// Writes what became of a claimed notice.
  ///
  /// A delivered notice leaves the outbox even if the claim has expired. The other outcomes change nothing if another
  /// deliverer has claimed the notice since.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func settle(_ item: OutboxItem, _ outcome: OutboxOutcome, at time: UnixTime) async throws(StorageError)

  /// Lists notices in the order in which they were written.
  ///
  /// - Parameters:
  ///   - selection: Which notices to list.
  ///   - number: The ``OutboxItem/number`` after which to start; 0 for the beginning.
  ///   - limit: The maximum number of items.
  /// - Returns: The items.
  /// - Throws: A ``StorageError`` if the store fails.
  func outboxItems(
    _ selection: OutboxSelection, after number: Int64, limit: Int
  ) async throws(StorageError) -> [OutboxItem]

  /// Makes notices due now, and dead letters wait again, with no failed attempts. Claimed notices stay as they are.
  ///
  /// - Returns: The number of changed items.
  /// - Throws: A ``StorageError`` if the store fails.
  func requeue(_ selection: OutboxSelection, at time: UnixTime) async throws(StorageError) -> Int

  /// Deletes notices without delivering them.
  ///
  /// - Returns: The number of deleted items.
  /// - Throws: A ``StorageError`` if the store fails.
  func drop(_ selection: OutboxSelection, at time: UnixTime) async throws(StorageError) -> Int

  /// Counts the notices of each destination that has any.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func outboxCounts() async throws(StorageError) -> [OutboxCount]

  /// Writes a notice (``Notice/expiring(_:of:at:now:)``) for each session that ends between the end of the previous call's
  /// period and `end`. The store keeps the end of the period, so each session is announced once, on any server.
  ///
  /// - Parameters:
  ///   - end: The end of the period.
  ///   - time: The current time.
  ///   - destinations: The destinations of the notices.
  ///   - limit: The number of sessions after which to stop. Sessions that end at the same time are not separated.
  /// - Returns: The number of notices. If it reaches `limit`, call again.
  /// - Throws: A ``StorageError`` if the store fails.
  func announceExpiring(
    until end: UnixTime, at time: UnixTime, to destinations: [DestinationName], limit: Int
  ) async throws(StorageError) -> Int
}
