// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import WireFormats

/// The files of a vault: the vault itself, its replacement while it is being written (`.new`), the lock (`.lock`) and
/// the count of wrong passphrases (`.wrong`). All are accessible by their owner only.
struct VaultFolder {
  let path: String

  /// Creates the file set of the vault at `path`. None of the files may be a symbolic link, a FIFO or a device
  /// (``OpenFile``).
  init(_ path: String) {
    self.path = path
  }
}

extension VaultFolder {
  /// The absolute path, which identifies a vault independently of the working directory. Links in the folder's path are
  /// resolved.
  var absolutePath: String {
    guard let folder = unsafe realpath(folderPath, nil) else { return path }
    defer { unsafe free(folder) }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { (slash) in path[path.index(after: slash)...] }
    return unsafe String(cString: folder) + "/" + (name ?? path[...])
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
    guard let file = OpenFile(path, O_RDONLY) else {
      if errno == ENOENT { return nil }
      throw VaultError(.unreadable, path, SystemMessage.last)
    }
    // Take the status before reading: a concurrent write then makes the mark stale, and the file is read again.
    guard let status = file.regularStatus else { throw VaultError(.foreign, path, "it is not a regular file") }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else { throw VaultError(.writableByOthers, path) }
    let bytes = try read(file, limit: limit)
    return (bytes, VaultMark(header: [UInt8](bytes.prefix(VaultHeader.byteCount)), status))
  }

  /// Whether other users may read the vault.
  var isReadableByOthers: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
  }

  private func read(_ file: OpenFile, limit: Int) throws(VaultError) -> [UInt8] {
    guard let bytes = file.read(limit: limit) else { throw VaultError(.unreadable, path, SystemMessage.last) }
    guard bytes.count <= VaultFile.maximumByteCount else { throw VaultError(.tooLarge, path) }
    return bytes
  }
}

// MARK: Writing

extension VaultFolder {
  /// Waits for the exclusive lock of the vault.
  func lock() throws(VaultError) -> VaultLock {
    let name = path + ".lock"
    guard let file = OpenFile(name, O_RDWR | O_CREAT) else {
      if errno == ELOOP { throw VaultError(.unwritable, path, "\(name): \(SystemMessage.last)") }
      throw writeFailure
    }
    guard file.regularStatus != nil else { throw VaultError(.unwritable, path, "\(name): it is not a regular file") }
    guard file.lock() else { throw writeFailure }
    return VaultLock(file)
  }

  /// Atomically replaces the vault: writes and fsyncs a new file, renames it, and fsyncs the folder. If the write
  /// fails, the old file is unchanged.
  func replace(with bytes: [UInt8]) throws(VaultError) {
    let next = path + ".new"
    unsafe unlink(next)
    // Open the files first, so that failures precede the rename.
    guard let folder = OpenFile(folderPath, O_RDONLY | O_DIRECTORY) else { throw writeFailure }
    guard let file = OpenFile(next, O_WRONLY | O_CREAT | O_EXCL) else { throw writeFailure }
    guard file.write(bytes), file.synchronize(), unsafe rename(next, path) == 0 else {
      let failure = writeFailure
      unsafe unlink(next)
      throw failure
    }
    guard folder.synchronize() else { throw writeFailure }
  }

  /// Appends a record at `offset`, the end of the last complete record, calls fdatasync, and returns the new mark. If
  /// the write fails, the file is truncated to `offset`. Throws if the mark has changed.
  func append(_ bytes: [UInt8], at offset: Int, ifStill mark: VaultMark) throws(VaultError) -> VaultMark {
    guard let file = OpenFile(path, O_RDWR) else { throw writeFailure }
    guard let status = file.regularStatus, VaultMark(header: mark.header, status) == mark else {
      throw VaultError(.unwritable, path, "another program wrote to it")
    }
    // Truncate an incomplete record, which would otherwise be read together with this one.
    guard status.st_size == offset || file.truncate(to: offset), file.write(bytes, at: offset), file.synchronizeData(),
      let written = file.regularStatus
    else {
      let failure = writeFailure
      _ = file.truncate(to: offset)
      throw failure
    }
    return VaultMark(header: mark.header, written)
  }

  private var writeFailure: VaultError {
    let number = errno
    return VaultError(number == ENOSPC || number == EDQUOT ? .noSpace : .unwritable, path, SystemMessage.of(number))
  }

  private var folderPath: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

// MARK: Wrong passphrases

extension VaultFolder {
  /// Appends one byte to a file next to the vault; its length is the count. Ignores failures, because the wrong
  /// passphrase is reported anyway.
  func countWrongPassphrase() {
    guard let file = OpenFile(path + ".wrong", O_WRONLY | O_CREAT | O_APPEND), file.regularStatus != nil else { return }
    file.write([UInt8(ascii: ".")])
  }

  /// Returns the count and resets it.
  func takeWrongPassphraseCount() -> Int {
    let name = path + ".wrong"
    guard let file = OpenFile(name, O_RDONLY), file.regularStatus != nil else { return 0 }
    let count = file.read(limit: 1 << 20)?.count ?? 0
    unsafe unlink(name)
    return count
  }
}

/// The exclusive lock of a vault, held until it is released or the process exits.
struct VaultLock {
  private let file: OpenFile

  fileprivate init(_ file: OpenFile) {
    self.file = file
  }

  func release() {
    file.unlock()
  }
}
