// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// The service's persistent state. Each method of these protocols is one atomic transaction: when it returns, all its
/// changes are committed with the store's durability; when it throws, none are, except after
/// ``StorageError/Code/outcomeUnknown``.
///
/// A method returns the state that it finds as its outcome; it throws a ``StorageError`` only if the store fails.
/// Several servers may share one store.
///
/// Audit drafts are appended in the same transaction, in their order, but only if the method changes the store.
///
/// A grant is checked first, and deleted if it is found, whether or not it matches. If it does not match, the outcome
/// says so, and nothing else changes. If it matches, it is spent even if the action is then refused, and both are recorded
/// (``Swift/Array/refused(with:)``). A grant for an administrative action matches only while the account is an acting
/// administrator (``GrantSpending/requiresAdministrator``).
///
/// A store compares addresses, names and tokens by their bytes.
package protocol Storage: CeremonyStorage, AccountStorage, CredentialStorage, SessionStorage, StepUpStorage,
  CodeStorage,
  DeviceStorage, AuditStorage, AuditLogStorage, DecoyStorage, OutboxStorage, EmailStorage
{
  /// Returns the store's identity; nil if no server has claimed the store.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func identity() async throws(StorageError) -> StoreIdentity?

  /// Claims the store for a relying party and secret: writes the identity if it is missing, and begins the log of a new store,
  /// one with no identity, accounts, records and log. An attacker who deletes the identity and the trail must not get a new
  /// log for forged records.
  ///
  /// - Returns: The store's identity, which may be another server's.
  /// - Throws: A ``StorageError`` if the store fails.
  func claim(_ identity: StoreIdentity, beginning: AuditLogBeginning) async throws(StorageError) -> StoreIdentity

  /// Verifies that the store is writable.
  ///
  /// - Throws: The ``StorageError`` that a write would meet.
  func check() async throws(StorageError)

  /// Deletes expired rows, about `limit` of each kind at most, and holds no lock for long. The caller repeats the call
  /// until it returns zero.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A ``StorageError`` if the store fails.
  func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int
}

/// The bounds that select rows to delete.
package struct SweepBounds: Hashable, Sendable {
  /// The current time. A sweep deletes email ceremonies, counts of mails, known clients, grants, codes and refresh
  /// tokens that expired before it, and sessions that can no longer be used or renewed (``covers(_:)``).
  package var time: UnixTime

  /// Deletes the identifiers of spent ceremonies that expired before this time.
  package var spentBefore: UnixTime

  /// The idle time-out: deletes sessions last used before this time; nil if sessions have no idle time-out.
  package var idleSince: UnixTime?

  /// Deletes personal details of audit records older than this; nil keeps them.
  package var personalDetailsBefore: UnixTime?

  /// Deletes checkpoints of the audit log that were signed in this period and are superseded by a later one of the same hour;
  /// nil keeps them. One that no witness cosigned is superseded by the next one, and a cosigned one by one that has
  /// cosignatures of the same witnesses, and perhaps of others.
  package var checkpoints: Range<UnixTime>?

  /// Creates bounds from their fields.
  package init(
    time: UnixTime, spentBefore: UnixTime? = nil, idleSince: UnixTime? = nil,
    personalDetailsBefore: UnixTime? = nil, checkpoints: Range<UnixTime>? = nil
  ) {
    self.time = time
    self.spentBefore = spentBefore ?? time
    self.idleSince = idleSince
    self.personalDetailsBefore = personalDetailsBefore
    self.checkpoints = checkpoints
  }

  /// Returns whether the sweep deletes the session.
  package func covers(_ session: AccountSession) -> Bool {
    if let idleSince, session.lastSeen < idleSince { return true }
    return max(session.expiry, session.renewalEnd ?? session.expiry) < time
  }
}

/// Storage of what finished ceremonies leave.
///
/// A pending ceremony is sealed into its challenge and has no row. The commit of its result stores its identifier, as does
/// the record of a refusal: of any number of concurrent responses, on any number of servers, one is accepted.
package protocol CeremonyStorage: Sendable {
  /// Returns the credential that a response names, and whether its ceremony is spent. One whose salt is not in the store any
  /// more counts as spent.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func presented(
    _ credential: CredentialID, in ceremony: CeremonyID, sealedWith salt: ChallengeSalt
  ) async throws(StorageError) -> PresentedCredential

  /// Spends a ceremony by itself. Returns false if it is spent already.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func spend(_ ceremony: CeremonyID) async throws(StorageError) -> Bool

  /// Returns the salts of challenges that were made in this store and not in one of which it is a copy, the newest first.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func challengeSalts() async throws(StorageError) -> [ChallengeSalt]

  /// Adds a salt, unless one is as new as `time`, and deletes those that were created at no time in `lifetime` or in another
  /// store.
  ///
  /// - Returns: The salts, the newest first.
  /// - Throws: A ``StorageError`` if the store fails.
  func addChallengeSalt(
    _ salt: ChallengeSalt, unlessSince time: UnixTime, deletingOutside lifetime: ClosedRange<UnixTime>
  ) async throws(StorageError) -> [ChallengeSalt]

  /// Deletes all salts and adds one.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func replaceChallengeSalts(with salt: ChallengeSalt) async throws(StorageError)
}

/// Storage of one-time codes.
package protocol CodeStorage: Sendable {
  /// Stores a code. A code for an account replaces the account's earlier ones, and ends a recovery by mail.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CodeIssueOutcome

  /// Returns the code with this hash, even if it has expired. A registration spends it
  /// (``CredentialStorage/register(_:)``).
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func code(_ digest: TokenDigest) async throws(StorageError) -> IssuedCode?
}

/// The outcome of issuing a code.
package enum CodeIssueOutcome: Hashable, Sendable {
  /// The code was stored.
  case issued
  /// The account does not exist.
  case unknownAccount
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// Storage of the lists that decoys are drawn from.
package protocol DecoyStorage: Sendable {
  /// Returns the credentials to offer at sign-in, grouped by account. Accounts are in the order of their handles, which
  /// are random, and each account's credentials are sorted by creation. Returns at most `limit` credentials, and omits
  /// an account whose credentials do not all fit. Pending accounts are left out: a stranger can create any number.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func credentialLists(limit: Int) async throws(StorageError) -> [[CredentialDescriptor]]

  /// Returns the lists last stored by ``storeDecoyLists(_:replacing:)`` on any server.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func decoyLists() async throws(StorageError) -> [UInt8]?

  /// Stores the lists unless there are some, or replaces those. Returns the lists that are stored then.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func storeDecoyLists(_ lists: [UInt8], replacing: Bool) async throws(StorageError) -> [UInt8]
}
