// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnRelyingParty

/// The sealer of a store's challenges.
struct StoreSealer: Sendable {
  let sealer: ChallengeSealer

  /// The salts of its keys, in their order.
  fileprivate let salts: [ChallengeSalt]

  /// Returns the salt of the key that opened a ceremony.
  func salt(of unsealed: UnsealedCeremony) -> ChallengeSalt { salts[unsealed.keyNumber] }
}

/// The server's cached sealer.
final class SealerCache: Sendable {
  private let state = Locked<(sealer: StoreSealer?, end: UnixTime?)>((nil, nil))

  /// The sealer; nil if it is not loaded, or if the salts have to be read again.
  func sealer(at now: UnixTime) -> StoreSealer? {
    state.withLock { (state) in state.end.map { (end) in now < end } ?? false ? state.sealer : nil }
  }

  func set(_ sealer: StoreSealer, until end: UnixTime) {
    state.withLock { (state) in state = (sealer, end) }
  }
}

extension AuthService {
  /// Returns the sealer of challenges.
  func sealer(at now: UnixTime) async throws(ServiceError) -> StoreSealer {
    if let sealer = sealers.sealer(at: now) { return sealer }
    return try await renewSalts(at: now)
  }

  /// Reads the salts of the store, and adds one if the newest is a day old. Another server may have added one meanwhile.
  @discardableResult
  func renewSalts(at now: UnixTime) async throws(ServiceError) -> StoreSealer {
    let salt = ChallengeSalt(bytes: try random.draw(Self.saltByteCount), created: now)
    // One of the future, from a clock that was wrong, would never be due.
    let salts = try await stored(
      async: await storage.addChallengeSalt(
        salt, unlessSince: now - Self.saltPeriod, deletingOutside: now - Self.saltLifetime...now + Self.saltPeriod))
    return try makeSealer(of: salts, at: now)
  }

  /// Replaces all salts, so that every ceremony that has begun is unknown, on all servers at once. For a store restored from
  /// a copy.
  ///
  /// - Throws: A storage code.
  package func forgetCeremonies(at now: UnixTime) async throws(ServiceError) {
    let salt = ChallengeSalt(bytes: try random.draw(Self.saltByteCount), created: now)
    try await stored(async: await storage.replaceChallengeSalts(with: salt))
    try await renewSalts(at: now)
  }

  private func makeSealer(of salts: [ChallengeSalt], at now: UnixTime) throws(ServiceError) -> StoreSealer {
    // A new salt opens at once and seals when all servers have read it, unless there is no other.
    let published = salts.first { (salt) in salt.created + Self.publication <= now } ?? salts.last
    let ordered = [published].compactMap(\.self) + salts.filter { (salt) in salt != published }
    let keys = ordered.map { (salt) in
      SecretBytes(HMAC.tag(of: salt.bytes[...], key: decoys.derivedKey(for: "challenges 1")))
    }
    let sealer = try mapCeremonyErrors(to: .configurationInvalid) { () throws(CeremonyError) in
      StoreSealer(sealer: try ChallengeSealer(keys: keys), salts: ordered)
    }
    let next = salts.first { (salt) in salt != published && salt.created + Self.publication > now }
    let end = now + Self.cachePeriod
    sealers.set(sealer, until: next.map { (salt) in min(end, salt.created + Self.publication) } ?? end)
    return sealer
  }

  private static let saltByteCount = 16

  // A day, and the day after it, in which the key of the day before still opens [a ceremony lasts a day at most].
  private static let saltPeriod = Duration.seconds(86_400)
  private static let saltLifetime = Duration.seconds(2 * 86_400 + 3_600)

  // 5 minutes [a sweep reads them each minute; this is for servers that do not sweep]
  private static let cachePeriod = Duration.seconds(300)

  // 20 minutes [all servers read the salts within five minutes, and their clocks may differ by ten]
  private static let publication = Duration.seconds(1_200)
}
