// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

/// A vault in one file that survives crashes, damage and concurrent writers.
///
/// Everything in the file is sealed with AES-256-GCM under a key that scrypt derives from a passphrase. A change is appended
/// as one record and is on the disk before ``update(_:)`` returns. From time to time the file is written anew, beside the
/// old one, and put in its place. A process that is killed leaves the old state or the new one. A lock keeps processes from
/// overwriting each other's changes; reading needs no lock. A file that is not a vault, or is damaged, is never overwritten.
public final class FileVault: Vault {
  /// The file's path. A symbolic link in its last component is refused.
  public let path: String

  /// What opens the vault without its passphrase.
  public let key: VaultKey

  private let random: RandomSource
  private let files: VaultFolder
  private let counter: VaultCounter?
  private let cache: Locked<Cached?>

  /// What the file held when it had this mark.
  private struct Cached {
    let mark: VaultMark
    let contents: VaultContents
  }

  private init(_ files: VaultFolder, _ key: VaultKey, _ random: RandomSource, _ counter: VaultCounter?) {
    self.files = files
    self.key = key
    self.random = random
    self.counter = counter
    path = files.path
    cache = Locked(nil)
  }
}

// MARK: Making and opening

extension FileVault {
  /// Makes a vault where no file is.
  public static func create(
    at path: String, passphrase: SecretBytes, cost: VaultCost = .standard, state: DeviceState,
    random: RandomSource = .system, rollbackGuard: RollbackGuard? = nil
  ) throws(VaultError) -> FileVault {
    let files = VaultFolder(path)
    let key = try VaultKey(new: passphrase, cost: cost, random: random, path: path)
    let lock = try files.lock()
    defer { lock.release() }
    guard try files.read() == nil else { throw VaultError(.exists, path) }
    let counter = rollbackGuard.map { (guardian) in VaultCounter(files.absolutePath, guardian) }
    let vault = FileVault(files, key, random, counter)
    try vault.writeFile(state, after: nil)
    return vault
  }

  /// Opens the vault at `path`. A wrong passphrase is counted beside the file, until the right one comes.
  ///
  /// With a `rollbackGuard`, a file that is older than the vault was when it was last changed fails with
  /// `vault.rolled-back`.
  public static func open(
    at path: String, passphrase: SecretBytes, random: RandomSource = .system, rollbackGuard: RollbackGuard? = nil
  ) throws(VaultError) -> FileVault {
    try open(at: path, random, rollbackGuard) { (file) throws(VaultError) in
      try VaultKey(passphrase: passphrase, cost: file.cost, salt: file.salt, path: path)
    }
  }

  /// Opens the vault at `path` with a key of before. A key of another passphrase fails with `vault.wrong-passphrase`.
  public static func open(
    at path: String, key: VaultKey, random: RandomSource = .system, rollbackGuard: RollbackGuard? = nil
  ) throws(VaultError) -> FileVault {
    try open(at: path, random, rollbackGuard) { (_) in key }
  }

  /// The salt of the vault at `path`, by which a key of before is found.
  public static func salt(at path: String) throws(VaultError) -> [UInt8] {
    guard let mark = try VaultFolder(path).readMark() else { throw VaultError(.missing, path) }
    guard mark.header.count >= VaultHeader.checkedByteCount, mark.header.starts(with: VaultHeader.magic) else {
      throw VaultError(.foreign, path)
    }
    return [UInt8](mark.header[..<VaultHeader.checkedByteCount].suffix(VaultHeader.saltByteCount))
  }

  private static func open(
    at path: String, _ random: RandomSource, _ rollbackGuard: RollbackGuard?,
    _ key: (VaultFile) throws(VaultError) -> VaultKey
  ) throws(VaultError) -> FileVault {
    let files = VaultFolder(path)
    let counter = rollbackGuard.map { (guardian) in VaultCounter(files.absolutePath, guardian) }
    // Before the file: a change that is made meanwhile is in the file before it is noted.
    let note = counter?.read()
    guard let (bytes, mark) = try files.read() else { throw VaultError(.missing, path) }
    let file = try VaultFile(parsing: bytes[...], path: path)
    let vault = FileVault(files, try key(file), random, counter)
    do throws(VaultError) {
      let contents = try file.open(with: vault.key, path: path)
      if let counter, counter.acceptsRollback {
        counter.write(contents)
      } else {
        try counter?.check(contents, against: note, path: path)
      }
      vault.remember(contents, mark)
    } catch {
      if error.code == .wrongPassphrase { files.countWrongPassphrase() }
      throw error
    }
    return vault
  }

  /// Where the file is, from the root.
  public var absolutePath: String { files.absolutePath }

  /// Whether other users may read the file.
  public var isReadableByOthers: Bool { files.isReadableByOthers }

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
    let (contents, _) = try current()
    let vault = FileVault(
      files, try VaultKey(new: passphrase, cost: cost, random: random, path: path), random, counter)
    try vault.writeFile(contents.state, after: contents)
    return vault
  }
}

// MARK: Reading and changing

extension FileVault {
  /// The state as it was last written.
  public func read() throws(CTAPError) -> DeviceState {
    try asStatus { () throws(VaultError) in try current().contents.state }
  }

  /// Changes the state, with everybody else locked out.
  public func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer {
    let lock = try asStatus { () throws(VaultError) in try files.lock() }
    defer { lock.release() }
    let (contents, mark) = try asStatus { () throws(VaultError) in try current() }
    var state = contents.state
    let answer = try change(&state)
    try asStatus { () throws(VaultError) in try write(state, after: contents, mark) }
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

  /// What the file holds, from the cache where the file is still the one that was read or written last.
  private func current() throws(VaultError) -> (contents: VaultContents, mark: VaultMark) {
    let known = cache.withLock { (cached) in cached }
    if let known, try files.readMark() == known.mark { return (known.contents, known.mark) }
    let note = counter?.read()
    guard let (bytes, mark) = try files.read() else { throw VaultError(.missing, path) }
    let file = try VaultFile(parsing: bytes[...], path: path)
    let contents = try file.open(with: key, path: path)
    try counter?.check(contents, against: note, path: path)
    remember(contents, mark)
    return (contents, mark)
  }

  private func write(_ state: DeviceState, after old: VaultContents, _ mark: VaultMark) throws(VaultError) {
    let change = VaultChange(from: old.state, to: state)
    guard !change.isEmpty || old.end == nil else { return }
    guard !change.erasesSecrets, let end = old.end else { return try writeFile(state, after: old) }
    let bytes: [UInt8]
    let contents: VaultContents
    do throws(CryptoError) {
      (bytes, contents) = try old.appending(change, makes: state, to: end, random: random)
    } catch {
      throw VaultError(.cryptographyFailed, path, "\(error)")
    }
    guard end.hasRoom(for: bytes.count) else { return try writeFile(state, after: old) }
    remember(contents, try files.append(bytes, at: end.byteCount, ifStill: mark))
    counter?.write(contents)
  }

  /// Writes the file anew.
  private func writeFile(_ state: DeviceState, after old: VaultContents?) throws(VaultError) {
    let (bytes, contents) = try VaultContents.file(
      of: state, vault: old?.vault, sequence: (old?.sequence ?? 0) &+ 1, key: key, random: random, path: path)
    try files.replace(with: bytes)
    counter?.write(contents)
    // What is written is written: without a mark, the next to read takes it from the file.
    if let mark = try? files.readMark() { remember(contents, mark) }
  }

  private func remember(_ contents: VaultContents, _ mark: VaultMark) {
    cache.withLock { (cached) in cached = Cached(mark: mark, contents: contents) }
  }
}
