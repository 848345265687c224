// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An open file, closed when it is released.
package final class OpenFile: Sendable {
  package let descriptor: FileDescriptor

  /// How a file is opened.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    package static let reading = Options([])
    package static let writing = Options(rawValue: O_WRONLY)
    package static let readingAndWriting = Options(rawValue: O_RDWR)
    package static let appending = Options(rawValue: O_APPEND)
    /// Creates a missing file.
    package static let creating = Options(rawValue: O_CREAT)
    /// Creates the file; fails with `alreadyExists` if the name is taken.
    package static let creatingNew = Options(rawValue: O_CREAT | O_EXCL)
    /// Fails unless it is a folder.
    package static let folder = Options(rawValue: O_DIRECTORY)
    /// Fails with `symbolicLink` if the last component of the path is one, so that another user who can write to the
    /// folder cannot redirect a write.
    package static let notFollowingLinks = Options(rawValue: O_NOFOLLOW)
    /// Opens a FIFO without waiting for its other end.
    package static let notBlocking = Options(rawValue: O_NONBLOCK)
  }

  /// Opens a file. Child processes do not inherit it.
  ///
  /// A new file gets the access rights `mode`, less those of the process's umask. A relative path starts from `folder`, or
  /// from the working folder if it is nil.
  package init(
    _ path: String, _ options: Options, mode: UInt32 = 0o600, in folder: OpenFile? = nil
  ) throws(SystemError) {
    descriptor = FileDescriptor(
      number: try SystemError.check {
        unsafe openat(folder?.descriptor.number ?? AT_FDCWD, path, options.rawValue | O_CLOEXEC, mode)
      })
  }

  /// Takes over an open file.
  package init(owning descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  deinit {
    descriptor.close()
  }

  /// The file's current status.
  package var status: FileStatus {
    get throws(SystemError) {
      var status = stat()
      _ = try SystemError.check { unsafe fstat(descriptor.number, &status) }
      return FileStatus(status)
    }
  }

  // These methods keep the file open until they return. A descriptor that outlives its `OpenFile` is closed.

  /// Reads to the end of the file.
  ///
  /// - Returns: The bytes, or nil if there are more than `limit`.
  package func readToEnd(limit: Int) throws(SystemError) -> [UInt8]? {
    try descriptor.readToEnd(limit: limit)
  }

  /// Reads to the end of the file, or until there are `limit` bytes.
  package func read(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let chunk = try descriptor.read(upTo: min(1 << 18, limit - bytes.count))
      if chunk.isEmpty { break }
      bytes += chunk
    }
    return bytes
  }

  /// Reads bytes at an offset: fewer than `count` at the end of the file.
  package func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = try SystemError.check { unsafe pread(descriptor.number, &bytes, count, off_t(offset)) }
    bytes.removeLast(count - found)
    return bytes
  }

  /// Reads the end of the file, at most `limit` bytes.
  package func readTail(limit: Int) throws(SystemError) -> [UInt8] {
    let start = max(0, try status.byteCount - limit)
    _ = try SystemError.check { lseek(descriptor.number, off_t(start), SEEK_SET) }
    return try read(limit: limit)
  }

  /// Writes all bytes.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try descriptor.write(bytes)
  }

  /// Writes all bytes and counts those written, also when it throws.
  package func write(_ bytes: [UInt8], counting written: inout Int) throws(SystemError) {
    try descriptor.write(bytes, counting: &written)
  }

  /// Writes all bytes at an offset.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    _ = try SystemError.check { lseek(descriptor.number, off_t(offset), SEEK_SET) }
    try descriptor.write(bytes)
  }

  /// Cuts the file to a length.
  package func truncate(to byteCount: Int) throws(SystemError) {
    _ = try SystemError.check { ftruncate(descriptor.number, off_t(byteCount)) }
  }

  /// Blocks until the disk has the written bytes and the metadata needed to read them.
  package func synchronizeData() throws(SystemError) {
    _ = try SystemError.check { fdatasync(descriptor.number) }
  }

  /// Blocks until the disk has the written bytes and all metadata.
  package func synchronize() throws(SystemError) {
    _ = try SystemError.check { fsync(descriptor.number) }
  }

  /// Blocks until this open file has the exclusive lock (flock). Closing the file releases it too.
  package func lock() throws(SystemError) {
    _ = try SystemError.check { flock(descriptor.number, LOCK_EX) }
  }

  /// Takes the exclusive lock unless another open file has it.
  ///
  /// - Returns: Whether this open file has the lock.
  package func lockIfFree() throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try SystemError.check { flock(descriptor.number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error == .wouldBlock { return false }
      throw error
    }
  }

  /// Asks for the exclusive lock every 10 ms until this open file has it, at most until `deadline`: the system has no lock call
  /// with a time-out, and a thread that waits in one could not be ended.
  ///
  /// - Returns: Whether the file has the lock.
  package func lock(until deadline: ContinuousClock.Instant) throws(SystemError) -> Bool {
    while true {
      if try lockIfFree() { return true }
      guard ContinuousClock.now < deadline else { return false }
      usleep(10_000)
    }
  }

  package func unlock() {
    flock(descriptor.number, LOCK_UN)
  }

  /// Returns the names in an open folder, hidden ones too, sorted.
  package func names() throws(SystemError) -> [String] {
    // `closedir` closes its descriptor, so the folder is read through a separate one.
    let copy = try SystemError.check {
      unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let folder = unsafe fdopendir(copy) else {
      let error = SystemError(number: errno)
      close(copy)
      throw error
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { (bytes) in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// The metadata of a file.
package struct FileStatus {
  /// The file's identity: two paths with the same values name one file.
  package struct Identity: Hashable, Sendable, CustomStringConvertible {
    let device: UInt64
    let inode: UInt64

    package var description: String { "\(device):\(inode)" }
  }

  package enum Kind: Hashable, Sendable {
    case regular
    case folder
    case socket
    case pipe
    case other
  }

  package let identity: Identity
  package let kind: Kind
  /// The access rights: the lower twelve bits of the mode.
  package let permissions: UInt32
  package let owner: UInt32
  package let byteCount: Int
  /// Nanoseconds since 1970 of the last change of the content, limited to the years 1678 to 2262.
  package let modified: Int64
  /// Nanoseconds since 1970 of the last change of the content or the metadata, limited likewise.
  package let changed: Int64

  /// The status of the file at a path. If the path names a symbolic link and `followingLinks` is false, it is the link's.
  /// A relative path starts from `folder`, or from the working folder if it is nil.
  package init(ofFileAt path: String, followingLinks: Bool = true, in folder: OpenFile? = nil) throws(SystemError) {
    var status = stat()
    _ = try SystemError.check {
      unsafe fstatat(folder?.descriptor.number ?? AT_FDCWD, path, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    self.init(status)
  }

  /// Gives a file another name. Fails with `alreadyExists` if that is taken.
  package static func move(_ path: String, toNew other: String) throws(SystemError) {
    _ = try SystemError.check { unsafe link(path, other) }
    _ = try SystemError.check { unsafe unlink(path) }
  }

  init(_ status: stat) {
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFSOCK: .socket
      case S_IFIFO: .pipe
      default: .other
      }
    permissions = UInt32(status.st_mode) & 0o7777
    owner = status.st_uid
    byteCount = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLate) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    guard isTooFar || isTooLate else { return sum }
    return time.tv_sec < 0 ? .min : .max
  }

  /// Whether the current user owns the file.
  package var isOwn: Bool { owner == geteuid() }

  /// Whether the current user owns the file and no other user has any right to it.
  package var isPrivate: Bool { isOwn && permissions & 0o077 == 0 }
}
