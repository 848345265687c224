// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO
internal import WebAuthnRelyingParty
public import WireFormats

/// The server's cached sealer, with the salts from which its keys are derived, the newest first.
final class SealerCache: Sendable {
  private struct State {
    var salts: [ChallengeSalt] = []
    var sealer: ChallengeSealer?
    /// When a newer salt begins to seal.
    var end: Timestamp?
  }

  private let state = Locked(State())

  /// The sealer; nil if it is not loaded, or if a newer salt is due.
  func sealer(at now: Timestamp) -> ChallengeSealer? {
    state.withLock { (state) in
      if let end = state.end, end <= now { return nil }
      return state.sealer
    }
  }

  var salts: [ChallengeSalt] { state.withLock(\.salts) }

  func set(_ salts: [ChallengeSalt], _ sealer: ChallengeSealer, until end: Timestamp?) {
    state.withLock { (state) in state = State(salts: salts, sealer: sealer, end: end) }
  }
}

extension AuthService {
  /// Returns the sealer of challenges.
  func sealer(at now: Timestamp) async throws(ServiceError) -> ChallengeSealer {
    if let sealer = sealers.sealer(at: now) { return sealer }
    return sealers.salts.isEmpty ? try await renewSalts(at: now) : try makeSealer(of: sealers.salts, at: now)
  }

  /// Reads the salts of the store, and adds one if the newest is a day old. Another server may have added one meanwhile.
  @discardableResult
  func renewSalts(at now: Timestamp) async throws(ServiceError) -> ChallengeSealer {
    let salt = ChallengeSalt(bytes: try random.draw(Self.saltByteCount), created: now)
    let salts = try await withStorage { (storage) throws(StorageError) in
      try await storage.addChallengeSalt(
        salt, unlessSince: now - Self.saltPeriod, deletingBefore: now - Self.saltLifetime)
    }
    return try makeSealer(of: salts, at: now)
  }

  /// Replaces all salts, so that every ceremony that has begun is unknown. For a store restored from a copy.
  ///
  /// - Throws: A storage code.
  public func forgetCeremonies(at now: Timestamp) async throws(ServiceError) {
    let salt = ChallengeSalt(bytes: try random.draw(Self.saltByteCount), created: now)
    let end = now + Self.saltPeriod
    let salts = try await withStorage { (storage) throws(StorageError) in
      try await storage.addChallengeSalt(salt, unlessSince: end, deletingBefore: end)
    }
    _ = try makeSealer(of: salts, at: now)
  }

  private func makeSealer(of salts: [ChallengeSalt], at now: Timestamp) throws(ServiceError) -> ChallengeSealer {
    // A new salt opens at once and seals when all servers have read it, unless there is no other.
    let published = salts.first { (salt) in salt.created + Self.publication <= now } ?? salts.last
    let ordered = [published].compactMap(\.self) + salts.filter { (salt) in salt != published }
    let keys = ordered.map { (salt) in
      SecretBytes(HMAC.tag(of: salt.bytes[...], key: decoys.derivedKey(for: "challenges 1")))
    }
    let sealer = try mapCeremonyErrors(to: .configurationInvalid) { () throws(CeremonyError) in
      try ChallengeSealer(keys: keys)
    }
    let next = salts.first { (salt) in salt != published && salt.created + Self.publication > now }
    sealers.set(salts, sealer, until: next.map { (salt) in salt.created + Self.publication })
    return sealer
  }

  private static let saltByteCount = 16

  // A day, and the day after it, in which the key of the day before still opens [ceremonies last 30 minutes at most].
  private static let saltPeriod = Duration.seconds(86_400)
  private static let saltLifetime = Duration.seconds(2 * 86_400)

  // 10 minutes [servers read the salts once a minute, and their clocks may differ]
  private static let publication = Duration.seconds(600)
}
