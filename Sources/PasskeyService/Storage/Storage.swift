// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Everything that the service keeps. Each method of these protocols is one whole transaction: it has happened when it
/// returns, as durably as the store promises, or nothing of it has.
///
/// What a transaction finds is its outcome; ``StorageError`` is for a store that does not work. The audit drafts that a
/// method takes are sealed and stored in the same transaction, in their order, where the outcome is the one that changes
/// something, and not at all where it is another. A grant that a method takes is looked at first: where it fits, it is
/// spent, also if the outcome is then another one, and that is what is recorded (``Swift/Array/refused(with:)``); where it does
/// not, the outcome is that, and nothing else has happened. A grant that was found is gone in either case.
/// One for an act of an administrator fits only while the account is one (``GrantSpending/takesAdministrator``). Several servers
/// may work on one store.
///
/// A store compares addresses, names and tokens by their bytes.
public protocol Storage: CeremonyStorage, AccountStorage, CredentialStorage, SessionStorage, StepUpStorage, CodeStorage,
  DeviceStorage, AuditStorage, DecoyStorage
{
  /// Says whose the store is, where that was not said before, seals the end of its trail where that was not done before
  /// (``StoreClaim/settled(found:end:hasAccounts:)``), and answers with whose the store is.
  func claim(_ claim: StoreClaim) async throws(StorageError) -> StoreIdentity

  /// Demands that the store can be written to now.
  func check() async throws(StorageError)

  /// Deletes what nobody can use any more, at most `limit` rows of each kind, so that no lock is held for long; the number
  /// of rows that were deleted. The caller comes back until there are none.
  func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int
}

/// What a sweep deletes.
public struct SweepBounds: Hashable, Sendable {
  /// Pending ceremonies, grants, codes and refresh tokens whose expiry is before this moment, and sessions that can neither
  /// be used nor renewed any more (``covers(_:)``).
  public var time: Timestamp

  /// Sessions that were last seen before this moment; nil where sessions do not fall idle.
  public var idleSince: Timestamp?

  /// Personal details of audit records older than this; nil where they are kept.
  public var personalDetailsBefore: Timestamp?

  /// Says what is to be deleted.
  public init(time: Timestamp, idleSince: Timestamp? = nil, personalDetailsBefore: Timestamp? = nil) {
    self.time = time
    self.idleSince = idleSince
    self.personalDetailsBefore = personalDetailsBefore
  }

  /// Whether the session is deleted.
  public func covers(_ session: Session) -> Bool {
    if let idleSince, session.lastSeen < idleSince { return true }
    return max(session.expiry, session.renewalEnd ?? session.expiry) < time
  }
}
