// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The keys of unlocked vaults, by their salts, in locked memory. A key that is not used for a while is wiped.
struct KeyRing {
  private struct Entry {
    let path: String
    let secret: LockedSecret
    var lastUsed: ContinuousClock.Instant
  }

  private var entries: [[UInt8]: Entry] = [:]
  private let lockAfter: Duration?

  // 64  [the locked memory has room for more; nobody has as many vaults open]
  private static let maximumCount = 64

  init(lockAfter: Duration?) {
    self.lockAfter = lockAfter
  }

  /// The paths of unlocked vaults, sorted.
  var paths: [String] { entries.values.map(\.path).sorted() }

  /// Keeps a key; false where there is no room.
  mutating func add(_ secret: SecretBytes, of path: String, salt: [UInt8], now: ContinuousClock.Instant) -> Bool {
    // A vault whose passphrase was changed has another salt.
    entries = entries.filter { (_, entry) in entry.path != path }
    guard entries.count < Self.maximumCount, let locked = LockedSecret(secret) else { return false }
    entries[salt] = Entry(path: path, secret: locked, lastUsed: now)
    return true
  }

  /// A key, which counts as used.
  mutating func secret(salt: [UInt8], now: ContinuousClock.Instant) -> SecretBytes? {
    forgetUnused(now: now)
    entries[salt]?.lastUsed = now
    return entries[salt]?.secret.secret
  }

  /// Wipes all keys.
  mutating func forgetAll() {
    entries = [:]
  }

  /// Wipes the keys whose time is up, and says after how long to look again.
  @discardableResult
  mutating func forgetUnused(now: ContinuousClock.Instant) -> Duration? {
    guard let lockAfter else { return nil }
    entries = entries.filter { (_, entry) in now - entry.lastUsed < lockAfter }
    return entries.values.map { (entry) in lockAfter - (now - entry.lastUsed) }.min()
  }
}
