// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The keys of unlocked vaults, by salt, in locked memory. Keys that stay unused longer than the limit are wiped.
struct KeyRing {
  private struct Entry {
    let path: String
    let secret: LockedSecret
    var lastUsed: ContinuousClock.Instant
  }

  private var entries: [[UInt8]: Entry] = [:]
  private let lockAfter: Duration?

  // 64  [fits into locked memory, and exceeds the number of vaults that a user keeps open]
  private static let maximumCount = 64

  init(lockAfter: Duration?) {
    self.lockAfter = lockAfter
  }

  /// The paths of the unlocked vaults, sorted.
  var paths: [String] { entries.values.map(\.path).sorted() }

  /// Adds a key. Returns false if there is no room.
  mutating func add(_ secret: SecretBytes, of path: String, salt: [UInt8], now: ContinuousClock.Instant) -> Bool {
    // Changing a vault's passphrase also changes its salt.
    entries = entries.filter { (_, entry) in entry.path != path }
    guard entries.count < Self.maximumCount, let locked = LockedSecret(secret) else { return false }
    entries[salt] = Entry(path: path, secret: locked, lastUsed: now)
    return true
  }

  /// Returns the key for a salt and marks it as used.
  mutating func secret(salt: [UInt8], now: ContinuousClock.Instant) -> SecretBytes? {
    forgetUnused(now: now)
    entries[salt]?.lastUsed = now
    return entries[salt]?.secret.secret
  }

  /// Wipes all keys.
  mutating func forgetAll() {
    entries = [:]
  }

  /// Wipes expired keys. Returns the time until the next key expires.
  @discardableResult
  mutating func forgetUnused(now: ContinuousClock.Instant) -> Duration? {
    guard let lockAfter else { return nil }
    entries = entries.filter { (_, entry) in now - entry.lastUsed < lockAfter }
    return entries.values.map { (entry) in lockAfter - (now - entry.lastUsed) }.min()
  }
}
