// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// The files of a vault: the vault itself, its replacement while it is being written (`.new`), the lock (`.lock`) and
/// the count of wrong passphrases (`.wrong`). All are accessible by their owner only.
struct VaultFolder {
  let path: String

  /// Creates the file set of the vault at `path`. None of the files may be a symbolic link, a FIFO or a device.
  init(_ path: String) {
    self.path = path
  }

  /// The absolute path, which identifies a vault independently of the working directory. Links in the folder's path are
  /// resolved.
  var absolutePath: String {
    guard let folder = Folder.absolutePath(FileReplacement.parentFolder(of: path)) else { return path }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { (slash) in path[path.index(after: slash)...] }
    return folder + "/" + (name ?? path[...])
  }

  private func writeFailure(_ error: SystemError) -> VaultError {
    VaultError(error.isOutOfSpace ? .noSpace : .unwritable, path, error.message)
  }
}

extension OpenFile {
  /// Opens a file that belongs to a vault. Fails if the path names a symbolic link, so that a user with write access to
  /// the folder cannot redirect a write. Never blocks, even on a FIFO without a peer; check ``status`` for a FIFO.
  convenience init(ofVault path: String, _ options: Options) throws(SystemError) {
    try self.init(path, options.union([.notFollowingLinks, .notBlocking]))
  }
}

// MARK: Reading

extension VaultFolder {
  /// Reads the vault and its mark. Returns nil if it does not exist.
  func read() throws(VaultError) -> (bytes: [UInt8], mark: VaultMark)? {
    try read(limit: VaultFile.maximumByteCount + 1)
  }

  /// Reads only the mark. Returns nil if the vault does not exist.
  func readMark() throws(VaultError) -> VaultMark? {
    try read(limit: VaultHeader.byteCount)?.mark
  }

  private func read(limit: Int) throws(VaultError) -> (bytes: [UInt8], mark: VaultMark)? {
    let status: FileStatus
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try OpenFile(ofVault: path, .reading)
      // Take the status before reading: a concurrent write then makes the mark stale, and the file is read again.
      status = try file.status
      bytes = status.kind == .regular ? try file.read(limit: min(limit, status.byteCount)) : []
    } catch {
      if error == .noSuchFile { return nil }
      throw VaultError(.unreadable, path, error.message)
    }
    guard status.kind == .regular else { throw VaultError(.foreign, path, "it is not a regular file") }
    guard status.permissions & 0o022 == 0 else { throw VaultError(.writableByOthers, path) }
    guard bytes.count <= VaultFile.maximumByteCount else { throw VaultError(.tooLarge, path) }
    return (bytes, VaultMark(header: [UInt8](bytes.prefix(VaultHeader.byteCount)), status))
  }

  /// Whether other users may read the vault.
  var isReadableByOthers: Bool {
    (try? FileStatus(ofFileAt: path)).map { (status) in status.permissions & 0o044 != 0 } ?? false
  }
}

// MARK: Writing

extension VaultFolder {
  // 60 s  [a hundred programs that each derive a key; in a shared folder, another user may never release the lock]
  private static let longestWait = Duration.seconds(60)

  /// Waits for the exclusive lock of the vault. The caller unlocks the returned file.
  func lock(for longestWait: Duration = longestWait) throws(VaultError) -> OpenFile {
    let name = path + ".lock"
    let file: OpenFile
    let kind: FileStatus.Kind
    do throws(SystemError) {
      file = try OpenFile(ofVault: name, [.readingAndWriting, .creating])
      kind = try file.status.kind
    } catch {
      throw error == .symbolicLink ? VaultError(.unwritable, path, "\(name): \(error.message)") : writeFailure(error)
    }
    guard kind == .regular else { throw VaultError(.unwritable, path, "\(name): it is not a regular file") }
    let isLocked = try mapError(file.lock(until: .now + longestWait), writeFailure)
    guard isLocked else {
      throw VaultError(.unwritable, path, "\(name): another program has had the lock for \(longestWait)")
    }
    return file
  }

  /// Atomically replaces the vault. If the write fails, the old file is unchanged.
  func replace(with bytes: [UInt8]) throws(VaultError) {
    try mapError(
      FileReplacement.replace(path, with: bytes, draft: path + ".new", durability: .durable), writeFailure)
  }

  /// Appends a record at `offset`, the end of the last complete record, calls fdatasync, and returns the new mark. If
  /// the write fails, the file is truncated to `offset`. Throws if the mark has changed.
  func append(_ bytes: [UInt8], at offset: Int, ifStill mark: VaultMark) throws(VaultError) -> VaultMark {
    let file: OpenFile
    let status: FileStatus
    do throws(SystemError) {
      file = try OpenFile(ofVault: path, .readingAndWriting)
      status = try file.status
    } catch {
      throw writeFailure(error)
    }
    guard status.kind == .regular, VaultMark(header: mark.header, status) == mark else {
      throw VaultError(.unwritable, path, "another program wrote to it")
    }
    do throws(SystemError) {
      // Truncate an incomplete record, which would otherwise be read together with this one.
      if status.byteCount != offset { try file.truncate(to: offset) }
      try file.write(bytes, at: offset)
      try file.synchronizeData()
      return VaultMark(header: mark.header, try file.status)
    } catch {
      try? file.truncate(to: offset)
      throw writeFailure(error)
    }
  }
}

// MARK: Wrong passphrases

extension VaultFolder {
  /// Appends one byte to a file next to the vault; its length is the count. Ignores failures, because the wrong
  /// passphrase is reported anyway.
  func countWrongPassphrase() {
    let file = try? OpenFile(ofVault: path + ".wrong", [.writing, .creating, .appending])
    guard let file, (try? file.status)?.kind == .regular else { return }
    try? file.write([UInt8(ascii: ".")])
  }

  /// Returns the count and resets it.
  func takeWrongPassphraseCount() -> Int {
    let name = path + ".wrong"
    guard let status = try? OpenFile(ofVault: name, .reading).status, status.kind == .regular else { return 0 }
    try? Folder.deleteFile(name)
    return status.byteCount
  }
}

/// The fingerprint of a vault file: while it is unchanged, the file has not been written.
///
/// Compaction changes the header, and appending changes the size. The other fields detect a write by another program,
/// so that a corrupt file is detected and not overwritten.
struct VaultMark: Equatable {
  let header: [UInt8]
  private let identity: FileStatus.Identity
  private let byteCount: Int
  private let modified: Int64
  private let changed: Int64

  init(header: [UInt8], _ status: FileStatus) {
    self.header = header
    identity = status.identity
    byteCount = status.byteCount
    modified = status.modified
    changed = status.changed
  }
}
