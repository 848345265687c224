// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
internal import WireFormats

/// A vault in one file, which survives what may happen to a file.
///
/// The state is sealed with AES-256-GCM under a key that scrypt makes of a passphrase. Every change is written whole to a
/// file beside it, with a fresh nonce, brought to the disk, and put in the place of the old one: whenever the process is
/// killed, the file is the old one or the new one. A lock keeps two processes from overwriting each other's changes; one
/// that only reads needs none. What is no vault, or no longer one, is named and never overwritten.
public final class FileVault: Vault {
  /// The file's path. A symbolic link in its last component is refused.
  public let path: String

  private let key: VaultKey
  private let random: RandomSource
  private let files: VaultFolder
  private let cache: Locked<Cached?>

  /// The state that the file held when it had this mark.
  private struct Cached {
    let mark: VaultMark
    let state: DeviceState
  }

  private init(_ files: VaultFolder, _ key: VaultKey, _ random: RandomSource) {
    self.files = files
    self.key = key
    self.random = random
    path = files.path
    cache = Locked(nil)
  }
}

// MARK: Making and opening

extension FileVault {
  /// Makes a vault where no file is.
  public static func create(
    at path: String, passphrase: SecretBytes, cost: VaultCost = .standard, state: DeviceState,
    random: RandomSource = .system
  ) throws(VaultError) -> FileVault {
    let files = VaultFolder(path)
    let key = try VaultKey(new: passphrase, cost: cost, random: random, path: path)
    let lock = try files.lock()
    defer { lock.release() }
    guard try files.read() == nil else { throw VaultError(.exists, path) }
    let vault = FileVault(files, key, random)
    try vault.write(state)
    return vault
  }

  /// Opens the vault at `path`. A wrong passphrase is counted beside the file, until the right one comes.
  public static func open(
    at path: String, passphrase: SecretBytes, random: RandomSource = .system
  ) throws(VaultError) -> FileVault {
    let files = VaultFolder(path)
    guard let (bytes, mark) = try files.read() else { throw VaultError(.missing, path) }
    let file = try VaultFile(parsing: bytes[...], path: path)
    let key = try VaultKey(passphrase: passphrase, cost: file.header.cost, salt: file.header.salt, path: path)
    let vault = FileVault(files, key, random)
    do throws(VaultError) {
      vault.remember(try file.open(with: key, path: path), mark)
    } catch {
      if error.code == .wrongPassphrase { files.countWrongPassphrase() }
      throw error
    }
    return vault
  }

  /// How many wrong passphrases were tried since the last right one, and starts to count anew.
  public func takeWrongPassphraseCount() -> Int {
    files.takeWrongPassphraseCount()
  }

  /// The same vault under another passphrase.
  public func changePassphrase(
    to passphrase: SecretBytes, cost: VaultCost = .standard
  ) throws(VaultError) -> FileVault {
    let lock = try files.lock()
    defer { lock.release() }
    let vault = FileVault(
      files, try VaultKey(new: passphrase, cost: cost, random: random, path: path), random)
    try vault.write(current())
    return vault
  }
}

// MARK: Reading and changing

extension FileVault {
  /// The state as it was last written.
  public func read() throws(CTAPError) -> DeviceState {
    try asStatus { () throws(VaultError) in try current() }
  }

  /// Changes the state, with everybody else locked out.
  public func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer {
    let lock = try asStatus { () throws(VaultError) in try files.lock() }
    defer { lock.release() }
    var state = try asStatus { () throws(VaultError) in try current() }
    let answer = try change(&state)
    try asStatus { () throws(VaultError) in try write(state) }
    return answer
  }

  /// CTAP has no status for a vault that fails, so that all of them are OTHER and the detail tells them apart. A full disk is
  /// not KEY_STORE_FULL either: a platform would then ask the user to delete passkeys.
  private func asStatus<Value>(_ body: () throws(VaultError) -> Value) throws(CTAPError) -> Value {
    do throws(VaultError) {
      return try body()
    } catch {
      throw CTAPError(.other, "\(error)")
    }
  }

  /// The file's state, from the cache where the file is still the one that was read or written last.
  private func current() throws(VaultError) -> DeviceState {
    if let cached = cache.withLock({ (cached) in cached }), try files.readMark() == cached.mark {
      return cached.state
    }
    guard let (bytes, mark) = try files.read() else { throw VaultError(.missing, path) }
    let file = try VaultFile(parsing: bytes[...], path: path)
    let state = try file.open(with: key, path: path)
    remember(state, mark)
    return state
  }

  private func write(_ state: DeviceState) throws(VaultError) {
    let bytes = try VaultFile.bytes(of: state, key: key, random: random, path: path)
    try files.replace(with: bytes)
    // What is written is written: without a mark, the next to read takes it from the file.
    if let mark = try? files.readMark() { remember(state, mark) }
  }

  private func remember(_ state: DeviceState, _ mark: VaultMark) {
    cache.withLock { (cached) in cached = Cached(mark: mark, state: state) }
  }
}
