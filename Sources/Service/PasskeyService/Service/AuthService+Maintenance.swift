// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
public import PasskeyFormats
internal import WebAuthnRelyingParty

extension AuthService {
  /// Deletes expired data in small batches. Call it about once a minute.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A storage code. The next call continues.
  @discardableResult
  public func sweep(at now: UnixTime) async throws(ServiceError) -> Int {
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
  /// The audit trail of a new store is a chain. To begin with a log, use `claimStore(beginningLogWith:in:)`.
  ///
  /// - Throws: `service.store-party-differs` if the store belongs to another relying party,
  ///   `service.store-secret-differs` if its servers use a different secret; or a storage code.
  public func claimStore() async throws(ServiceError) {
    try await claimStore(beginning: nil)
  }

  /// Claims the store like ``claimStore()``. A new store begins its audit log in the same transaction. All other stores keep
  /// their chain or log.
  ///
  /// Keep the key in a file before the call, because the log needs it for every checkpoint, and run an ``AuditSequencer``
  /// with it. If several servers claim a new store at once, the log has the key of one of them.
  ///
  /// - Parameters:
  ///   - key: The Ed25519 key of a new log.
  ///   - context: The time and origin of the request.
  /// - Throws: A code of ``claimStore()``.
  package func claimStore(
    beginningLogWith key: SigningKey, in context: CallContext
  ) async throws(ServiceError) {
    try await claimStore(beginning: logBeginning(after: nil, key: key, in: context))
  }

  /// Returns whether no server has claimed the store, and it has no accounts and no audit records. Another server may claim
  /// it at any time.
  ///
  /// - Throws: A storage code.
  package func isStoreNew() async throws(ServiceError) -> Bool {
    let identity = try await stored(async: await storage.identity())
    guard identity == nil, try await accounts(limit: 1, by: .console).isEmpty else { return false }
    return try await readAuditLog { (log) throws(ServiceError) in
      guard try stored(log.logs()).isEmpty else { return false }
      return try stored(log.chainEnd()).head == .beginning
    }
  }

  private func claimStore(beginning: AuditLogBeginning?) async throws(ServiceError) {
    let check = HMAC.tag(of: decoys.keyCheck, key: decoys.derivedKey(for: "store check"))
    let own = StoreIdentity(relyingParty: relyingParty.id, secretCheck: check)
    let former = StoreIdentity(relyingParty: relyingParty.id, secretCheck: decoys.keyCheck)
    let claim = StoreClaim(identity: own, formerIdentity: former, key: auditKey, beginning: beginning)
    let found = try await stored(async: await storage.claim(claim))
    guard found.relyingParty == own.relyingParty else {
      throw ServiceError(.storePartyDiffers, "expected \(own.relyingParty), found \(found.relyingParty)")
    }
    guard found == own else { throw ServiceError(.storeSecretDiffers) }
    try await loadDecoyLists()
  }

  /// Verifies that the store is writable.
  ///
  /// - Throws: A storage code; `service.storage-unavailable` also for a store that is corrupt.
  public func check() async throws(ServiceError) {
    do throws(ServiceError) {
      try await stored(async: await storage.check())
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
