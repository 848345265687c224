// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnRelyingParty
public import WireFormats

extension AuthService {
  /// Deletes what nobody can use any more, a little at a time; how much it was. Call it every minute or so.
  @discardableResult
  public func sweep(at now: Timestamp) async throws(ServiceError) -> Int {
    let bounds = sweepBounds(at: now)
    var total = 0
    for _ in 0..<Self.maximumSweepCount {
      let count = try await ask { (storage) throws(StorageError) in
        try await storage.sweep(bounds, limit: Self.sweepLimit)
      }
      total += count
      if count == 0 { break }
    }
    // Another server may have taken lists for decoys meanwhile.
    try await loadDecoyLists()
    return total
  }

  /// Demands that the store is this relying party's, and that the other servers on it have the same key for decoys; on a
  /// new store, says so for all that come later. Call it once, before anything is served.
  public func claimStore() async throws(ServiceError) {
    let check = HMAC.tag(of: decoys.keyCheck[...], key: decoys.derivedKey(for: "store check"))
    let own = StoreIdentity(relyingParty: relyingParty.id, secretCheck: check)
    let former = StoreIdentity(relyingParty: relyingParty.id, secretCheck: decoys.keyCheck)
    let claim = StoreClaim(identity: own, formerIdentity: former, key: auditKey)
    let found = try await ask { (storage) throws(StorageError) in try await storage.claim(claim) }
    guard found.relyingParty == own.relyingParty else {
      throw ServiceError(.storePartyDiffers, "\(found.relyingParty), and not \(own.relyingParty)")
    }
    guard found == own else { throw ServiceError(.storeSecretDiffers) }
    try await loadDecoyLists()
  }

  /// Demands that the store can be written to now.
  public func check() async throws(ServiceError) {
    try await ask { (storage) throws(StorageError) in try await storage.check() }
  }

  /// How many sessions there are at a time that can be used or renewed, of all accounts.
  public func sessionCount(at now: Timestamp) async throws(ServiceError) -> Int {
    try await ask { (storage) throws(StorageError) in try await storage.sessionCount(at: now) }
  }

  func sweepBounds(at now: Timestamp) -> SweepBounds {
    // A session may have been used up to an interval later than is noted.
    let idleSince = policy.sessions.idleLimit.map { now - $0 - policy.sessions.touchInterval }
    return SweepBounds(
      time: now, idleSince: idleSince, personalDetailsBefore: policy.personalDetailRetention.map { now - $0 })
  }

  // 500 rows of a kind [some milliseconds of a lock], and no more than a million or so in one go.
  private static let sweepLimit = 500
  private static let maximumSweepCount = 2000
}
