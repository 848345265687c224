// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
internal import WebAuthnRelyingParty

extension AuthService {
  /// Gives the audit records since the last call their places in the log and signs it, then deletes expired data in small
  /// batches. Call it about once a minute.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A storage code: the next call continues. `audit.rolled-back`, `audit.log-mismatch` or `audit.key-mismatch`, after
  ///   the deletion: the log does not grow until an operator intervenes.
  @discardableResult
  public func sweep(at now: UnixTime) async throws(ServiceError) -> Int {
    var fault: ServiceError?
    do throws(ServiceError) {
      while let pass = try await sequencer.sequence(at: now), pass.isFull {}
    } catch {
      fault = error
    }
    let count = try await deleteExpired(at: now)
    if let fault { throw fault }
    return count
  }

  /// Deletes expired data in small batches.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A storage code. The next call continues.
  @discardableResult
  package func deleteExpired(at now: UnixTime) async throws(ServiceError) -> Int {
    // First, because a sweep may take long. Another server may have added a salt.
    try await renewSalts(at: now)
    let bounds = sweepBounds(at: now)
    var total = 0
    for _ in 0..<Self.maximumSweepCount {
      let count = try await stored(async: await storage.sweep(bounds, limit: Self.sweepLimit))
      total += count
      if count == 0 || Task.isCancelled { break }
    }
    // An operator may have renewed the decoys in the meantime.
    try await loadDecoyLists()
    return total
  }

  /// Claims the store for this relying party and secret. Call it once, before the server accepts requests.
  ///
  /// Begins the audit log of a new store, with a key that is derived from the secret.
  ///
  /// - Parameter now: The current time.
  /// - Throws: `service.store-party-differs` if the store belongs to another relying party,
  ///   `service.store-secret-differs` if its servers use a different secret; or a storage code.
  public func claimStore(at now: UnixTime) async throws(ServiceError) {
    let beginning = try logBeginning(in: CallContext(time: now, requestID: "start"))
    try require(try await stored(async: await storage.claim(identity, beginning: beginning)))
    try await loadDecoyLists()
  }

  /// Compares the store with this relying party and secret like ``claimStore(at:)``, and writes nothing. A store that no server
  /// has claimed fits.
  ///
  /// - Throws: A code of ``claimStore(at:)``.
  package func compareStore() async throws(ServiceError) {
    if let found = try await stored(async: await storage.identity()) { try require(found) }
  }

  /// The identity of a store of this server.
  private var identity: StoreIdentity {
    StoreIdentity(
      relyingParty: relyingParty.id,
      secretCheck: HMAC.tag(of: decoys.keyCheck, key: decoys.derivedKey(for: "store check")))
  }

  private func require(_ found: StoreIdentity) throws(ServiceError) {
    let own = identity
    guard found.relyingParty == own.relyingParty else {
      throw ServiceError(.storePartyDiffers, "expected \(own.relyingParty), found \(found.relyingParty)")
    }
    guard found == own else { throw ServiceError(.storeSecretDiffers) }
  }

  /// Verifies that the store is writable.
  ///
  /// - Throws: A storage code; `service.storage-unavailable` also for a store that is corrupt.
  public func check() async throws(ServiceError) {
    do throws(ServiceError) {
      try await stored(async: await storage.database.check())
    } catch {
      guard error.code == .storageFailed else { throw error }
      throw ServiceError(.storageUnavailable, cause: error.cause)
    }
  }

  /// Counts the sessions, of all accounts, that can be used or renewed at the given time.
  ///
  /// - Throws: A storage code.
  package func sessionCount(at now: UnixTime) async throws(ServiceError) -> Int {
    try await stored(async: await storage.sessionCount(at: now))
  }

  func sweepBounds(at now: UnixTime) -> SweepBounds {
    // The stored last use may be older than the real one by up to one interval.
    let idleSince = policy.sessions.idleLimit.map { now - $0 - policy.sessions.touchInterval }
    return SweepBounds(
      time: now, spentBefore: now - Self.clockTolerance, idleSince: idleSince,
      personalDetailsBefore: policy.personalDetailRetention.map { now - $0 },
      checkpoints: now - Self.oldestCheckpoint..<now - Self.newestCheckpoint)
  }

  // 10 minutes [a server whose clock is ahead of another's by no more deletes no spent ceremony that the other accepts]
  private static let clockTolerance = Duration.seconds(600)

  // The last hour keeps all checkpoints. 31 days [a sweep looks at the remaining one of each hour, so it must not go back
  // to the beginning; checkpoints of a server that was stopped for longer stay]
  private static let newestCheckpoint = Duration.seconds(3_600)
  private static let oldestCheckpoint = Duration.seconds(31 * 86_400)

  // 500 rows of each kind [found by one read, deleted in transactions of milliseconds], and about a million rows in one
  // call at most.
  private static let sweepLimit = 500
  private static let maximumSweepCount = 2000
}
