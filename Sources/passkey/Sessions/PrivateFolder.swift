// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// An open folder that only this user can access. Renaming or replacing the path does not affect an open folder.
///
/// Symbolic links are not followed, and files that other users can access are rejected. Writes are atomic, even with
/// several processes.
final class PrivateFolder {
  private let path: String
  private let descriptor: Int32

  // 64 KiB  [a session is a few hundred bytes]
  private static let maximumByteCount = 1 << 16

  /// Opens the folder. Creates it and its parents if missing.
  init(making path: String) throws(CommandFailure) {
    var made = ""
    var refusal: (path: String, number: Int32)?
    for part in path.split(separator: "/") {
      made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      if refusal == nil, unsafe mkdir(made, 0o700) != 0, errno != EEXIST { refusal = (made, errno) }
    }
    // A folder that cannot be created may already exist; opening it shows that.
    guard let folder = try Self.opened(path) else {
      throw Self.failure("cannot create the folder", refusal?.path ?? path, refusal?.number ?? ENOENT)
    }
    (self.path, descriptor) = (path, folder)
  }

  /// Opens the folder. Returns nil if it does not exist.
  init?(at path: String) throws(CommandFailure) {
    guard let folder = try Self.opened(path) else { return nil }
    (self.path, descriptor) = (path, folder)
  }

  deinit {
    close(descriptor)
  }

  private static func opened(_ path: String) throws(CommandFailure) -> Int32? {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("cannot open the folder", path, errno)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.isPrivate else {
      close(descriptor)
      throw .inputOutput(
        "other users can reach the folder \(path.quotedForTerminal), which is for sessions",
        hint: "if it is yours, run chmod 700 on it")
    }
    return descriptor
  }

  /// Locks the folder against other processes until ``unlock()``. Blocks while another process holds the lock.
  func lock() throws(CommandFailure) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Self.failure("cannot lock", path, errno) }
    }
  }

  func unlock() {
    flock(descriptor, LOCK_UN)
  }

  /// Returns the names of the files, sorted.
  func names(withHidden: Bool = false) throws(CommandFailure) -> [String] {
    // `closedir` closes its descriptor, so the folder is read through a separate one.
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let folder = unsafe fdopendir(copy) else { throw Self.failure("cannot read", path, errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { (bytes) in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if withHidden || !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the names of the files, the most recently written first.
  func namesByAge() throws(CommandFailure) -> [String] {
    let dated = try names().map { (name) in
      var status = stat()
      let isThere = unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      return (name: name, seconds: isThere ? status.st_mtim.tv_sec : 0, nanoseconds: status.st_mtim.tv_nsec)
    }
    return dated.sorted { ($0.seconds, $0.nanoseconds) > ($1.seconds, $1.nanoseconds) }.map(\.name)
  }

  /// Returns the content of a file, or nil if it does not exist.
  func read(_ name: String) throws(CommandFailure) -> [UInt8]? {
    // Non-blocking, because opening a FIFO would block forever.
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure("cannot read", "\(path)/\(name)", errno)
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.isPrivate else {
      throw .inputOutput(
        """
        \("\(path)/\(name)".quotedForTerminal) is not a file that only this user can reach, so it is not used for \
        sessions
        """,
        hint: "delete it, and sign in again")
    }
    do throws(SystemError) {
      if let bytes = try FileDescriptor(number: file).readToEnd(limit: Self.maximumByteCount) { return bytes }
    } catch {
      throw Self.failure("cannot read", "\(path)/\(name)", error.number)
    }
    throw .inputOutput("\("\(path)/\(name)".quotedForTerminal) is too large for a session", hint: "delete it")
  }

  /// Writes the file atomically. On failure, the previous content remains.
  func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
    let draft = ".\(getpid()).\(Hex.encode(try Self.randomBytes()))"
    let file = unsafe openat(descriptor, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("cannot write", "\(path)/\(name)", errno) }
    var number: Int32 = 0
    do throws(SystemError) {
      try FileDescriptor(number: file).write(bytes)
      if fsync(file) != 0 { number = errno }
    } catch {
      number = error.number
    }
    close(file)
    if number == 0, unsafe renameat(descriptor, draft, descriptor, name) != 0 { number = errno }
    guard number != 0 else { return }
    unsafe unlinkat(descriptor, draft, 0)
    throw Self.failure("cannot write", "\(path)/\(name)", number)
  }

  /// Deletes temporary files that killed processes left behind.
  func deleteAbandonedDrafts() throws(CommandFailure) {
    for name in try names(withHidden: true) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isEmpty, let writer = pid_t(parts[1]), writer > 0 else { continue }
      if kill(writer, 0) != 0, errno == ESRCH { try delete(name) }
    }
  }

  /// Deletes the file if it exists.
  func delete(_ name: String) throws(CommandFailure) {
    guard unsafe unlinkat(descriptor, name, 0) != 0, errno != ENOENT else { return }
    throw Self.failure("cannot delete", "\(path)/\(name)", errno)
  }

  private static func randomBytes() throws(CommandFailure) -> [UInt8] {
    do throws(CryptoError) {
      return try RandomSource.system.bytes(8)
    } catch {
      throw .inputOutput("the system's random generator failed: \(error)")
    }
  }

  private static func failure(_ act: String, _ path: String, _ number: Int32) -> CommandFailure {
    .inputOutput("\(act) \(path.quotedForTerminal): \(SystemError(number: number).message.lowercased())")
  }
}

extension stat {
  /// Whether this user owns it and no other user can access it.
  fileprivate var isPrivate: Bool { st_uid == geteuid() && st_mode & 0o077 == 0 }
}
