// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnTypes

/// A vault in one file that survives crashes, damage and concurrent writers.
///
/// The contents are sealed with AES-256-GCM under a key that scrypt derives from a passphrase. A change is appended as
/// one record and is durable when ``update(_:)`` returns. Occasionally the file is compacted: a new file is written and
/// atomically replaces the old one. A killed process leaves the old state or the new one. A lock prevents lost updates
/// between processes; reading needs no lock. A file that is not a vault, or is damaged, is never overwritten.
package final class FileVault: Vault {
  /// The file's path. Its last component must not be a symbolic link.
  package let path: String

  /// The key that opens the vault without its passphrase.
  package let key: VaultKey

  private let random: RandomSource
  private let files: VaultFolder
  private let counter: VaultCounter?
  private let cache: Locked<Cached?>

  /// The contents of the file when it had this mark.
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
  /// Throws `vault.unwritable` if files cannot be created in the folder of a path. Creates nothing.
  package static func requireCreatable(at path: String) throws(VaultError) {
    do throws(PrivateFolderError) {
      try PrivateFolder.requireWritable(FileReplacement.parentFolder(of: path))
    } catch {
      guard case .failed(_, _, let fault) = error else { return }
      throw VaultError(.unwritable, path, fault.message)
    }
  }

  /// Creates a vault. Never overwrites a file.
  ///
  /// - Throws: `vault.exists`, `vault.unreadable`, `vault.cryptography-failed`, `vault.unwritable` or
  ///   `vault.no-space`.
  package static func create(
    at path: String, passphrase: SecretBytes, cost: VaultCost = .standard, state: DeviceState,
    random: RandomSource = .system, rollbackGuard: RollbackGuard? = nil
  ) throws(VaultError) -> FileVault {
    let files = VaultFolder(path)
    let key = try VaultKey(new: passphrase, cost: cost, random: random, path: path)
    let lock = try files.lock()
    defer { lock.unlock() }
    guard try files.read() == nil else { throw VaultError(.exists, path) }
    let counter = rollbackGuard.map { VaultCounter(files.absolutePath, $0) }
    let vault = FileVault(files, key, random, counter)
    try vault.writeFile(state, after: nil)
    return vault
  }

  /// Opens the vault at `path`. Wrong passphrases are counted next to the file, until ``takeWrongPassphraseCount()``
  /// resets the count.
  ///
  /// - Throws: `vault.missing`, `vault.wrong-passphrase`, the code of a file that cannot be used (`vault.foreign`,
  ///   `vault.newer-version`, `vault.truncated`, `vault.damaged`, `vault.unreasonable-cost`, `vault.too-large`,
  ///   `vault.unreadable`, `vault.writable-by-others`), `vault.cryptography-failed`, or, with a `rollbackGuard`,
  ///   `vault.rolled-back` for a file older than its last recorded change.
  package static func open(
    at path: String, passphrase: SecretBytes, random: RandomSource = .system, rollbackGuard: RollbackGuard? = nil
  ) throws(VaultError) -> FileVault {
    try open(at: path, random, rollbackGuard) { (file) throws(VaultError) in
      try VaultKey(passphrase: passphrase, cost: file.header.cost, salt: file.header.salt, path: path)
    }
  }

  /// Opens the vault at `path` with a saved key, which works until the passphrase changes.
  ///
  /// - Throws: The same codes as the function that takes a passphrase; `vault.wrong-passphrase` if the passphrase has
  ///   changed since.
  package static func open(
    at path: String, key: VaultKey, random: RandomSource = .system, rollbackGuard: RollbackGuard? = nil
  ) throws(VaultError) -> FileVault {
    try open(at: path, random, rollbackGuard) { (_) in key }
  }

  /// Returns the salt of the vault at `path`, which identifies its saved key.
  ///
  /// - Throws: `vault.missing`, `vault.foreign` or `vault.unreadable`.
  package static func salt(at path: String) throws(VaultError) -> [UInt8] {
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
    let counter = rollbackGuard.map { VaultCounter(files.absolutePath, $0) }
    // Read the counter before the file: a concurrent change is written to the file first and to the counter afterwards.
    let note = counter?.read()
    guard let (bytes, mark) = try files.read() else { throw VaultError(.missing, path) }
    let file = try VaultFile(parsing: bytes, path: path)
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

  /// The absolute path of the file.
  package var absolutePath: String { files.absolutePath }

  /// Whether other users may read the file.
  package var isReadableByOthers: Bool { files.isReadableByOthers }

  /// Returns the number of wrong passphrases since the last call and resets it.
  package func takeWrongPassphraseCount() -> Int {
    files.takeWrongPassphraseCount()
  }

  /// Re-encrypts the vault under another passphrase and returns it.
  ///
  /// - Throws: The codes of ``open(at:passphrase:random:rollbackGuard:)`` for a file that cannot be read;
  ///   `vault.unwritable` or `vault.no-space`.
  package func changePassphrase(
    to passphrase: SecretBytes, cost: VaultCost = .standard
  ) throws(VaultError) -> FileVault {
    let lock = try files.lock()
    defer { lock.unlock() }
    let (contents, _) = try current()
    let vault = FileVault(
      files, try VaultKey(new: passphrase, cost: cost, random: random, path: path), random, counter)
    try vault.writeFile(contents.state, after: contents)
    return vault
  }
}

// MARK: Reading and changing

extension FileVault {
  // CTAP has no status for a failed vault. A full disk is not KEY_STORE_FULL, because a platform would ask the user to
  // delete passkeys.

  /// Returns the current state.
  ///
  /// - Throws: `OTHER`, with the ``VaultError`` as its cause.
  package func read() throws(CTAPError) -> DeviceState {
    try mapError(current().contents.state, CTAPError.init(other:))
  }

  /// Changes the state under an exclusive lock.
  ///
  /// - Throws: The closure's error, or `OTHER`, with the ``VaultError`` as its cause.
  package func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer {
    let lock = try mapError(files.lock(), CTAPError.init(other:))
    defer { lock.unlock() }
    let (contents, mark) = try mapError(current(), CTAPError.init(other:))
    var state = contents.state
    let answer = try change(&state)
    try mapError(write(state, after: contents, mark), CTAPError.init(other:))
    return answer
  }

  /// Returns the file's contents, from the cache if the file is unchanged.
  private func current() throws(VaultError) -> (contents: VaultContents, mark: VaultMark) {
    let known = cache.withLock { (cached) in cached }
    if let known, try files.readMark() == known.mark { return (known.contents, known.mark) }
    let note = counter?.read()
    guard let (bytes, mark) = try files.read() else { throw VaultError(.missing, path) }
    let file = try VaultFile(parsing: bytes, path: path)
    let contents = try file.open(with: key, path: path)
    try counter?.check(contents, against: note, path: path)
    remember(contents, mark)
    return (contents, mark)
  }

  private func write(_ state: DeviceState, after old: VaultContents, _ mark: VaultMark) throws(VaultError) {
    let change = VaultChange(from: old.state, to: state)
    guard !change.isEmpty else { return }
    guard !change.erasesSecrets else { return try writeFile(state, after: old) }
    let bytes: [UInt8]
    let contents: VaultContents
    do throws(PasskeyCryptoError) {
      (bytes, contents) = try old.appending(change, makes: state, random: random)
    } catch {
      throw VaultError(.cryptographyFailed, path, "\(error)")
    }
    guard old.end.hasRoom(for: bytes.count) else { return try writeFile(state, after: old) }
    remember(contents, try files.append(bytes, at: old.end.byteCount, ifStill: mark))
    counter?.write(contents)
  }

  /// Writes a new file and replaces the old one.
  private func writeFile(_ state: DeviceState, after old: VaultContents?) throws(VaultError) {
    let (bytes, contents) = try VaultContents.file(
      of: state, vault: old?.vault, sequence: (old?.sequence ?? 0) &+ 1, key: key, random: random, path: path)
    try files.replace(with: bytes)
    counter?.write(contents)
    // The write is complete. Without a mark, the next read loads the file.
    if let mark = try? files.readMark() { remember(contents, mark) }
  }

  private func remember(_ contents: VaultContents, _ mark: VaultMark) {
    cache.withLock { (cached) in cached = Cached(mark: mark, contents: contents) }
  }
}
