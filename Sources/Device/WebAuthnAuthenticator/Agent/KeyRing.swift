// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// The keys of unlocked vaults, by salt, in locked memory. Keys that stay unused longer than the limit are wiped.
struct KeyRing {
  private struct Entry {
    let path: String
    let secret: StoredSecret
    var lastUsed: ContinuousClock.Instant
  }

  private var entries: [[UInt8]: Entry] = [:]
  /// Nil if the system has no memory left. Then no key can be added.
  private let memory: LockedMemory?
  private let lockAfter: Duration?

  // 64  [exceeds the number of vaults that a user keeps open]
  private static let maximumCount = 64
  // 256 B  [a vault's key has about 100; all keys take a quarter of what any user may lock on an old Linux, 64 KiB]
  private static let maximumSecretByteCount = 256

  init(lockAfter: Duration?) {
    self.lockAfter = lockAfter
    memory = try? LockedMemory(byteCount: Self.maximumCount * Self.maximumSecretByteCount)
  }

  /// Whether the keys are never swapped out.
  var memoryIsLocked: Bool { memory?.isLocked == true }

  /// The paths of the unlocked vaults, sorted.
  var paths: [String] { entries.values.map(\.path).sorted() }

  /// Adds a key. Returns false if there is no room.
  mutating func add(_ secret: SecretBytes, of path: String, salt: [UInt8], now: ContinuousClock.Instant) -> Bool {
    // Changing a vault's passphrase also changes its salt.
    entries = entries.filter { (_, entry) in entry.path != path }
    let usedSlots = Set(entries.values.map(\.secret.slot))
    guard let memory, secret.count <= Self.maximumSecretByteCount,
      let slot = (0..<Self.maximumCount).first(where: { (slot) in !usedSlots.contains(slot) })
    else { return false }
    entries[salt] = Entry(path: path, secret: StoredSecret(secret, in: memory, slot: slot), lastUsed: now)
    return true
  }

  /// Returns the key for a salt and marks it as used.
  mutating func secret(salt: [UInt8], now: ContinuousClock.Instant) -> SecretBytes? {
    forgetUnused(now: now)
    entries[salt]?.lastUsed = now
    return entries[salt]?.secret.copy
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

  /// A secret in its part of the locked memory, wiped when released.
  private final class StoredSecret {
    let slot: Int
    private let memory: LockedMemory
    private let range: Range<Int>

    init(_ secret: SecretBytes, in memory: LockedMemory, slot: Int) {
      self.slot = slot
      self.memory = memory
      let start = slot * KeyRing.maximumSecretByteCount
      range = start..<start + secret.count
      secret.withBytes { (bytes) in memory.store(bytes, at: start) }
    }

    deinit {
      memory.wipe(range)
    }

    /// A copy in ordinary memory, which is wiped when released.
    var copy: SecretBytes {
      var bytes = memory.load(range)
      defer { bytes.wipe() }
      return SecretBytes(bytes)
    }
  }
}
